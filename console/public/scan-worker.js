// Keeps the page itself and its files, so that it opens without a network. Nothing of /api is ever kept.
const SHELL = "shell";
const page = "/scan/";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add(page)));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(newestPage(request));
  else if (pathname.startsWith("/console/assets/")) event.respondWith(keptFile(request));
});

/** The page of the server; without a network, the last one. */
async function newestPage(request) {
  const cache = await caches.open(SHELL);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(page, response.clone());
    return response;
  } catch {
    return (await cache.match(page)) ?? Response.error();
  }
}

/** The name of a file has its hash, so one that is kept is the right one. */
async function keptFile(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}
