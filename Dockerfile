# The container image: built with everything, shipped with what `serve` needs. docs/running.md says how to run it.
# Debian, not Alpine: not every native module is built for musl.
ARG NODE=24-bookworm-slim

FROM node:${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json tsconfig.build.json LICENSE ./
# No package runs a script: the native modules come built.
RUN npm ci --ignore-scripts
COPY src src
COPY packages packages
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:${NODE}
ENV NODE_ENV=production \
    CHARTGRAPH_DATA=/data \
    CHARTGRAPH_HOST=0.0.0.0 \
    CHARTGRAPH_PORT=7000 \
    CHARTGRAPH_CONTAINER_ACCESS=signed
WORKDIR /app
# All of it belongs to root, so that the process cannot change its own program.
COPY package.json LICENSE ./
COPY ontology ontology
COPY queries queries
COPY seed seed
COPY docs/rules docs/rules
COPY deploy/health-check.mjs deploy/health-check.mjs
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# A new volume takes over the owner and the mode of the folder that it covers.
RUN ln -s /app/dist/cli/chartgraph.js /usr/local/bin/chartgraph \
    && install --directory --owner=1000 --group=1000 --mode=0700 /data /backups
# `node` in the base image, as a number: so that a host can check that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 7000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=2m --retries=6 \
    CMD ["node", "/app/deploy/health-check.mjs"]
ENTRYPOINT ["chartgraph"]
CMD ["serve"]
