import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { type TestCertificate, writeCertificate } from '@matchyard/orchestrator/process/testing'

const PROGRAM = fileURLToPath(new URL('../../supervisor/front/main.mjs', import.meta.url))

/** A front of its own process before a game server in this process. */
export class TestFront {
  readonly folder = mkdtempSync(join(tmpdir(), 'front-'))
  readonly planFile = join(this.folder, 'front.json')
  readonly said: string[] = []
  private readonly game: Server
  private readonly sockets = new Set<Socket>()
  private child: ReturnType<typeof fork> | undefined
  port = 0

  constructor(serve: (socket: Socket) => void) {
    this.game = createServer({ allowHalfOpen: true }, (socket) => {
      this.sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.sockets.delete(socket))
      serve(socket)
    })
  }

  /** Starts the game server and the front; `bounds` replace the usual times of the front. */
  async start(certificate: TestCertificate, bounds: Readonly<Record<string, number>> = {}): Promise<void> {
    await once(this.game.listen(0, '127.0.0.1'), 'listening')
    const [inner, free] = [portOf(this.game), createServer()]
    await once(free.listen(0), 'listening')
    this.port = portOf(free)
    await new Promise((resolve) => free.close(resolve))
    writeFileSync(this.planFile, JSON.stringify({ ports: [{ port: this.port, inner }], certificate, ...bounds }))
    const answer = await this.launch()
    if (answer.listening !== true) throw new Error(JSON.stringify(answer))
  }

  /** Starts the front's process, and returns its first message. */
  async launch(): Promise<{ listening?: true; failed?: { code: string | null; message: string } }> {
    const child = fork(PROGRAM, [this.planFile], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    this.child = child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.said.push(...text.trim().split('\n')))
    const [message] = await once(child, 'message')
    return message
  }

  get process() {
    if (this.child === undefined) throw new Error('the front has not been started')
    return this.child
  }

  /** The game server stops listening; its connections go on. */
  endGame(): void {
    this.game.close()
  }

  /** Returns the number of connections that the game server has. */
  get connections(): number {
    return this.sockets.size
  }

  certificate = (name = 'first'): Promise<TestCertificate> => writeCertificate(this.folder, name)

  /** Connects with TLS; rejects when the front closes the connection before the handshake is over. */
  async connect({ ca }: TestCertificate): Promise<TLSSocket> {
    const socket = connect({ host: '127.0.0.1', port: this.port, ca, servername: 'localhost' })
    const closed = once(socket, 'close').then(() => Promise.reject(new Error('closed')))
    closed.catch(() => {})
    await Promise.race([once(socket, 'secureConnect'), closed])
    socket.on('error', () => {})
    return socket
  }

  async stop(): Promise<void> {
    this.child?.kill('SIGKILL')
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.game.close(resolve))
    await rm(this.folder, { recursive: true, force: true })
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
