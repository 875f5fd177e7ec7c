# Built for the current LTS of Node. The image holds the compiled program and what it needs to run, nothing else.
ARG NODE_IMAGE=docker.io/library/node:24.18.1-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save
COPY tsconfig.json LICENSE ./
COPY scripts ./scripts
COPY src ./src
COPY packages ./packages
RUN npm run build && npm prune --omit=dev

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="Assay" \
  org.opencontainers.image.description="Scores AI agents' tool-calling decisions against ground truth while they happen" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.source="${SOURCE}" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production ASSAY_REVISION=${REVISION}
# Large buffers go back to the system when they are freed: glibc would keep most of them.
ENV MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY LICENSE ./
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY schemas/openapi.json ./schemas/
RUN mkdir -p /var/lib/assay /etc/assay && chown node:node /var/lib/assay
USER node
VOLUME /var/lib/assay
# In a container the loopback address reaches nobody. The port is set here too, so that the health check knows it.
ENV ASSAY_HTTP__HOST=0.0.0.0 ASSAY_HTTP__PORT=9464
ENV ASSAY_STATE__DIR=/var/lib/assay/state ASSAY_SNAPSHOTS__DIR=/var/lib/assay/snapshots
EXPOSE 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ASSAY_HTTP__PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/bin/assay.js"]
CMD ["run", "-c", "/etc/assay/assay.yaml"]
