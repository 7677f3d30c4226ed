# The service on Node 26, for an external PostgreSQL (DATABASE_URL and MATRICULA_KEY are required).
# The optional packages are left out: they are a bundled Node and the embedded PostgreSQL, and the image needs neither.
FROM node:26-slim AS console

# The console is built here; what builds it stays here.
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json ./console/
RUN npm ci --omit=dev --ignore-scripts
COPY src ./src
COPY sample ./sample
COPY console ./console
COPY docs/pictures ./docs/pictures
COPY packages ./packages
COPY LICENSE ./
RUN node src/cli/matricula.ts console build

FROM node:26-slim

ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    MATRICULA_SKIP_INSTALL=1

WORKDIR /app

# Packages change less often than code, so they make a layer of their own. No package gets to run an install script.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --workspaces=false && npm cache clean --force

COPY bin ./bin
COPY schema ./schema
COPY migrations ./migrations
COPY src ./src
COPY sample ./sample
# The sources say which build is theirs.
COPY console ./console
COPY docs/pictures ./docs/pictures
COPY packages ./packages
COPY docs/guide ./docs/guide
COPY --from=console /app/node_modules/.cache/matricula-console ./node_modules/.cache/matricula-console

# The files belong to root, the process to somebody who cannot change them.
USER node

EXPOSE 8080

HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Directly, not through npm: signals reach the server, which finishes the requests under way.
# One arena: megabytes that one thread has freed serve the next one.
ENV MALLOC_ARENA_MAX=1
CMD ["node", "--max-semi-space-size=16", "src/main.ts"]
