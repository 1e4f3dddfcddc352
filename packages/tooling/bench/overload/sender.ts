import { connect, type Socket } from 'node:net'

/** An order to the sender: send `perSecond` calls for `seconds` seconds, with or without answers. */
export interface Order {
  readonly port: number
  readonly key: string
  readonly perSecond: number
  readonly seconds: number
}

/** One call: its due time since the start by the sender's clock, the milliseconds until its answer, and its status. */
export type Call = readonly [dueMs: number, tookMs: number, status: number]

export interface Report {
  readonly calls: readonly Call[]
  /** p99 of the sender's own delay in milliseconds, which a busy machine causes. */
  readonly senderLate: number
}

const HEAD_END = '\r\n\r\n'
const MAX_CONNECTIONS = 4_000
const BODY = JSON.stringify({ queue_id: 'duel' })

/**
 * Sends calls at their due times, like players who are independent of each other: each on a free connection or on a new
 * one. Half of the calls create a lobby, half read one. The time of a call starts at its due time, even when the sender
 * was late.
 */
class Sender {
  private readonly free: Connection[] = []
  private readonly calls: Call[] = []
  private readonly late: number[] = []
  private open = 0
  private made: string[] = []
  private count = 0

  constructor(private readonly order: Order) {}

  async run(): Promise<Report> {
    const { perSecond, seconds } = this.order
    const startedAt = performance.now()
    const total = perSecond * seconds
    let sent = 0
    await new Promise<void>((resolve) => {
      const tick = () => {
        const now = performance.now()
        const due = Math.min(total, Math.floor(((now - startedAt) * perSecond) / 1_000))
        for (; sent < due; sent++) {
          const dueAt = startedAt + (sent * 1_000) / perSecond
          this.late.push(now - dueAt)
          this.send(dueAt, startedAt)
        }
        if (sent < total) setTimeout(tick, 1)
        else setTimeout(resolve, 1_500)
      }
      tick()
    })
    this.late.sort((a, b) => a - b)
    return { calls: this.calls, senderLate: this.late[Math.floor(this.late.length * 0.99)] ?? 0 }
  }

  private send(dueAt: number, startedAt: number): void {
    const answered = (status: number, body: string, connection: Connection | undefined) => {
      this.calls.push([dueAt - startedAt, performance.now() - dueAt, status])
      if (connection === undefined) this.open--
      else this.free.push(connection)
      if (status !== 201 || this.made.length >= 1_000) return
      const id = /"lobby_id":"([^"]+)"/.exec(body)?.[1]
      if (id !== undefined) this.made.push(id)
    }
    const connection = this.free.pop() ?? this.connect()
    if (connection === undefined) this.calls.push([dueAt - startedAt, 0, -1])
    else connection.call(this.next(), answered)
  }

  private connect(): Connection | undefined {
    if (this.open >= MAX_CONNECTIONS) return undefined
    this.open++
    return new Connection(this.order.port)
  }

  private next(): string {
    const number = this.count++
    const head = `host: localhost\r\napi-key: ${this.order.key}\r\nx-player-id: player-${number}\r\n`
    const id = number % 2 === 0 ? this.made[number % this.made.length] : undefined
    if (id !== undefined) return `GET /v1/lobbies/${id} HTTP/1.1\r\n${head}\r\n`
    const type = `content-type: application/json\r\ncontent-length: ${BODY.length}\r\n`
    return `POST /v1/lobbies HTTP/1.1\r\n${head}${type}\r\n${BODY}`
  }
}

type Answered = (status: number, body: string, connection: Connection | undefined) => void

class Connection {
  private readonly socket: Socket
  private pending = ''
  private answered: Answered = () => {}

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    this.socket.on('data', (chunk: string) => this.hear(chunk))
    const gone = () => this.end(0, '', undefined)
    this.socket.on('error', gone).on('close', gone)
  }

  call(request: string, answered: Answered): void {
    this.answered = answered
    this.socket.write(request, 'latin1')
  }

  private hear(chunk: string): void {
    this.pending += chunk
    const head = this.pending.indexOf(HEAD_END)
    if (head < 0) return
    const from = head + HEAD_END.length
    const length = /content-length: (\d+)/i.exec(this.pending)?.[1]
    const isWhole =
      length === undefined ? this.pending.endsWith(`0${HEAD_END}`) : this.pending.length >= from + Number(length)
    if (!isWhole) return
    const [text, status] = [this.pending.slice(from), Number(this.pending.slice(9, 12))]
    this.pending = ''
    this.end(status, text, this)
  }

  private end(status: number, body: string, connection: Connection | undefined): void {
    const { answered } = this
    this.answered = () => {}
    answered(status, body, connection)
  }
}

process.on('message', (order: Order) => {
  void new Sender(order).run().then((report) => process.send?.(report))
})
