// Keeps the page itself and its files, so that it opens without a network. Nothing of /api is ever kept.
const SHELL = "shell";
const page = "/scan/";
const assets = "/console/assets/";

self.addEventListener("install", (event) => {
  event.waitUntil(fetch(page).then(keepPage));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(newestPage(event));
  else if (pathname.startsWith(assets)) event.respondWith(keptFile(request));
});

/** What a proxy says whose service is gone or starts: as good as no network. */
const away = [502, 503, 504];

/** The page of the server; without a network, the last one. */
async function newestPage(event) {
  const answer = await fetch(event.request).catch(() => undefined);
  if (answer?.ok) event.waitUntil(keepPage(answer.clone()));
  if (answer && !away.includes(answer.status)) return answer;
  const cache = await caches.open(SHELL);
  return (await cache.match(page)) ?? answer ?? Response.error();
}

/** Files first: a page that is kept has all that it loads, at once or later. */
async function keepPage(response) {
  await keepFiles(await response.clone().text(), new Set());
  const cache = await caches.open(SHELL);
  await cache.put(page, response);
}

/** The files whose names stand in a text, and those whose names stand in them. */
async function keepFiles(text, seen) {
  for (const name of text.match(/[\w-]+-[\w-]{8}\.(?:js|css)/g) ?? []) {
    if (seen.has(name)) continue;
    seen.add(name);
    const response = await keptFile(new Request(assets + name));
    if (response.ok) await keepFiles(await response.text(), seen);
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
