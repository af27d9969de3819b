/**
 * A provider on a host name that only a proxy knows, and the proxy. The provider is the gateway of the packed command; the
 * proxy counts what goes through it.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer, request as sendRequest, type Server } from "node:http"
import { type AddressInfo, connect, type Server as TcpServer, type Socket } from "node:net"
import { join } from "node:path"
import { createServer as createTlsServer } from "node:tls"
import { room, start } from "./installed.ts"

/** Of a gateway that listens on a free port: a sample that is made in no time. */
export const smallSample = ["--port", "0", "--blocks", "20", "--logs", "100"]

/** No name server answers for it, now or later. */
export const hostName = "node.invalid"

const listen = async (server: Server | TcpServer): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

const joined = (left: Socket, right: Socket): void => {
  left.pipe(right).pipe(left)
  left.on("error", () => right.destroy())
  right.on("error", () => left.destroy())
}

/** The file of the certificate, which its own key has signed. */
export const certificate = join(room, "certificate.pem")

const makeCertificate = () => {
  const key = join(room, "key.pem")
  const names = ["-subj", `/CN=${hostName}`, "-addext", `subjectAltName=DNS:${hostName}`]
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate]
  execFileSync("openssl", ["req", "-x509", "-days", "3650", ...made, ...names], { stdio: "pipe" })
  return { key: readFileSync(key), cert: readFileSync(certificate) }
}

export interface Servers {
  /** `http` and `https` URLs of the same network, on the host that only the proxy reaches. */
  readonly urls: { readonly http: string; readonly https: string }
  readonly proxy: string
  /** The hosts, with their ports, that the proxy was asked for since the last time. */
  readonly asked: () => ReadonlySet<string>
  readonly close: () => Promise<void>
}

/** Both forms in which a client may use a proxy; each ends at this machine, whatever it names. */
const makeProxy = (asked: Set<string>): Server => {
  const proxy = createServer((request, response) => {
    const { host, hostname, pathname, port } = new URL(`${request.url}`)
    asked.add(host)
    if (hostname !== hostName) return void response.writeHead(502).end()
    const { headers, method } = request
    const onward = sendRequest({ host: "127.0.0.1", port, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  return proxy.on("connect", (request, socket: Socket) => {
    asked.add(`${request.url}`)
    const [name, port] = `${request.url}`.split(":")
    if (name !== hostName) return void socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n")
    const onward = connect(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      joined(socket, onward)
    })
  })
}

export const startServers = async (node: string): Promise<Servers> => {
  const asked = new Set<string>()
  const proxy = makeProxy(asked)
  const gateway = start({ node, folder: room }, ["gateway", ...smallSample, "--key", "local", "--host-name", hostName])
  const ready = JSON.parse(await gateway.says('"ready":true')) as { port: number; urls: { evm: string } }
  const secure = createTlsServer(makeCertificate(), (socket) => joined(socket, connect(ready.port, "127.0.0.1")))
  const { pathname } = new URL(ready.urls.evm)
  const port = await listen(secure)
  return {
    urls: { http: `http://${hostName}:${ready.port}${pathname}`, https: `https://${hostName}:${port}${pathname}` },
    proxy: `http://127.0.0.1:${await listen(proxy)}`,
    asked: () => {
      const hosts = new Set(asked)
      asked.clear()
      return hosts
    },
    close: async () => {
      proxy.closeAllConnections()
      proxy.close()
      secure.close()
      gateway.end("SIGTERM")
      await gateway.outcome
    },
  }
}
