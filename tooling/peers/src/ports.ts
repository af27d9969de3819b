/** Ports of this machine. */
import { once } from "node:events"
import { createServer, type Server } from "node:net"

/** A port that nothing listens on. */
export const deadPort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const port = portOf(server)
  server.close()
  await once(server, "close")
  return port
}

/** The port a server listens on. */
export const portOf = (server: Server): string => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server listens on no port")
  return String(address.port)
}
