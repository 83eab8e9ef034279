// Keeps the page on the device, by its service worker, and asks before a newer version takes over.

import { notify } from "./ui/notice";

/** Browsers have service workers only over HTTPS and on this machine; elsewhere the page needs its server. */
export async function keepOnDevice(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers || import.meta.env.DEV) return;
  // The version that has taken over answers for this page now, so its code has to be that version's too.
  workers.addEventListener("controllerchange", () => location.reload());
  try {
    const address = `${import.meta.env.BASE_URL}sw.js`;
    const registration = await workers.register(address, { updateViaCache: "none" });
    if (registration.waiting) ask(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const found = registration.installing;
      found?.addEventListener("statechange", () => {
        // The first version of all has nothing to take over from.
        if (found.state === "installed" && registration.active) ask(found);
      });
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) registration.update().catch(() => undefined);
    });
  } catch {
    // A browser that refuses (private windows do) shows the page all the same.
  }
}

function ask(version: ServiceWorker): void {
  notify("A new version of Gardez is ready.", {
    text: "Update",
    run: () => version.postMessage("take over"),
    stays: true,
  });
}
