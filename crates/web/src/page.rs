//! The page: the files that Vite makes, inside the program.
//!
//! `web/dist` need not exist when the program is built; then a page says how to get it.

use crate::refusal::Refusal;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use backend::{Code, Error};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::fmt::Write as _;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

const INDEX: &str = "index.html";
/// Files of this folder have a hash of their content in their name.
const HASHED: &str = "assets/";

/// Shown when the program was built without the page.
const MISSING: &str = "<!doctype html><html lang=en><meta charset=utf-8>
<meta name=viewport content='width=device-width'><title>Gardez</title>
<h1>Gardez</h1>
<p>The server works, but it was built without its page. With Node installed, <code>make play</code> builds
both; or run <code>npm ci &amp;&amp; npm run build</code> in <code>web/</code> and build the program again.</p>
<p>The <a href=/api/v1/info>API</a> is there, and <code>gardez play</code> plays in the terminal.</p>
";

/// Whether the page was there when the program was built.
#[must_use]
pub fn has_page() -> bool {
    Files::get(INDEX).is_some()
}

/// Answers with a file of the page, or with the page itself: the page itself knows its addresses.
pub(crate) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(file) = Some(path).filter(|path| !path.is_empty()).and_then(Files::get) {
        return file_response(path, file, &headers);
    }
    let looks_like_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if path.starts_with("api/") || path.starts_with(HASHED) || looks_like_file {
        let error = Error::new(Code::NotFound, "there is nothing at this address");
        return Refusal(error).into_response();
    }
    match Files::get(INDEX) {
        Some(file) => file_response(INDEX, file, &headers),
        None => Html(MISSING).into_response(),
    }
}

fn file_response(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let mut tag = String::from("\"");
    for byte in &file.metadata.sha256_hash()[..12] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    let is_hashed = path.starts_with(HASHED);
    let caching = if is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|known| {
        // Compression makes a tag weak.
        known.to_str().is_ok_and(|known| known.trim_start_matches("W/") == tag)
    });
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, content_type(path))], file.data.into_owned()).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    if is_hashed {
        headers.insert("x-public", HeaderValue::from_static("1"));
    }
    response
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
