// The service worker: keeps one version of the page on the device and answers from it, with or without a network.
// scripts/precache.mjs fills in the version and its files.
//
// All files of a version lie in a cache of its own, which is filled before the version can take over. A newer one waits
// until the page has asked the person; then it takes over for all open pages at once, and they load again. So no page
// ever gets files of two versions.

const VERSION = "%VERSION%";
const FILES = ["%FILES%"];
const PREFIX = "gardez-page-";
const CACHE = PREFIX + VERSION;

const inScope = (path) => new URL(path, self.registration.scope).href;

self.addEventListener("install", (event) => {
  const fetchAll = async () => {
    const cache = await caches.open(CACHE);
    // Past the browser's own cache, which may hold files of another version.
    await cache.addAll(FILES.map((path) => new Request(inScope(path), { cache: "reload" })));
  };
  event.waitUntil(fetchAll());
});

self.addEventListener("activate", (event) => {
  const forgetOthers = async () => {
    const names = await caches.keys();
    const others = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(others.map((name) => caches.delete(name)));
  };
  event.waitUntil(forgetOthers());
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

/** The cached file that answers a request, if it is one for the page. */
function fileFor({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  const scope = new URL(self.registration.scope);
  if (method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return null;
  const path = pathname.slice(scope.pathname.length);
  if (path.startsWith("api/")) return null;
  if (FILES.includes(path)) return path;
  // The page itself knows its addresses.
  return mode === "navigate" ? "index.html" : null;
}

self.addEventListener("fetch", (event) => {
  const file = fileFor(event.request);
  if (file === null) return;
  const answer = async () => {
    const cache = await caches.open(CACHE);
    // The browser may have thrown the cache away to save space; then the network has to do.
    return (await cache.match(inScope(file))) ?? fetch(event.request);
  };
  event.respondWith(answer());
});
