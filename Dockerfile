# Pinhole over HTTP or stdio, with the folder to explore mounted read-only:
#   docker build -t pinhole .
#   docker run -i --rm -v "$PWD:/work:ro" -v pinhole-data:/data pinhole mcp
#   docker run --rm -p 4747:4747 -v "$PWD:/work:ro" -v pinhole-data:/data pinhole start --host 0.0.0.0
FROM node:22-slim AS package
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /

FROM node:22-slim
COPY --from=package /pinhole-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/pinhole-*.tgz && rm -rf /tmp/pinhole-*.tgz /root/.npm \
  && mkdir /data /work && chown node:node /data
USER node
ENV PINHOLE_HOME=/data
VOLUME /data
WORKDIR /work
EXPOSE 4747
ENTRYPOINT ["pinhole"]
CMD ["mcp"]
