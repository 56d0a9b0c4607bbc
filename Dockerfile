FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
# Where a machine has memory to spare, node keeps garbage for four times what lives; the first bounds it. The second is
# room for the short-lived objects of requests.
ENV NODE_ENV=production NODE_OPTIONS="--max-old-space-size=1024 --max-semi-space-size=32"
WORKDIR /app
COPY package.json package-lock.json ./
# swc and rolldown only build. Without DATABASE_URL, the embedded PostgreSQL, an optional package, keeps its data in /data.
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force \
  && rm -rf node_modules/@swc node_modules/rolldown node_modules/@rolldown \
  && mkdir /data && chown node:node /data
ENV DATA_DIR=/data
COPY --from=build /app/dist ./dist
COPY explorer ./explorer
ARG COMMIT
ENV COMMIT=$COMMIT
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready?for=read`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
