import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Returns received messages in order. */
class Inbox {
  private readonly arrived: string[] = []
  private readonly waiting: ((text: string) => void)[] = []

  put(text: string): void {
    const next = this.waiting.shift()
    if (next === undefined) this.arrived.push(text)
    else next(text)
  }

  take(): Promise<string> {
    const text = this.arrived.shift()
    return text === undefined ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve(text)
  }
}

/** A player with its own address. */
export class Player {
  private readonly inbox = new Inbox()

  private constructor(private readonly socket: UdpSocket) {
    socket.on('message', (message) => this.inbox.put(message.toString('utf8')))
  }

  static async open(port: number): Promise<Player> {
    const socket = createSocket('udp4')
    socket.connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Player(socket)
  }

  send(text: string): void {
    this.socket.send(text)
  }

  next(): Promise<string> {
    return this.inbox.take()
  }

  ask(text: string): Promise<string> {
    this.send(text)
    return this.next()
  }

  close(): void {
    this.socket.close()
  }
}

/** A connection to the control port. */
export class Tool {
  private readonly inbox = new Inbox()
  private text = ''

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8')
    socket.on('data', (data) => {
      this.text += data
      const lines = this.text.split('\n')
      this.text = lines.pop() ?? ''
      for (const line of lines) this.inbox.put(line)
    })
  }

  static async open(port: number): Promise<Tool> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Tool(socket)
  }

  ask(line: string): Promise<string> {
    this.socket.write(`${line}\n`)
    return this.inbox.take()
  }
}
