import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The answers that a server has begun or owes, until each is over. Node tells nothing of an answer that stands behind another one when its
 * connection is lost, so a connection that closes takes all of its answers with it.
 */
export class AnswersUnderWay implements Iterable<ServerResponse> {
  private readonly all = new Set<ServerResponse>()
  private readonly bySocket = new Map<Socket, Set<ServerResponse>>()

  constructor(private readonly onOver: (answer: ServerResponse) => void = () => {}) {}

  get size(): number {
    return this.all.size
  }

  [Symbol.iterator](): Iterator<ServerResponse> {
    return this.all.values()
  }

  add(socket: Socket, answer: ServerResponse): void {
    this.all.add(answer)
    this.of(socket).add(answer)
    answer.once('close', () => {
      this.bySocket.get(socket)?.delete(answer)
      this.end(answer)
    })
  }

  private of(socket: Socket): Set<ServerResponse> {
    const known = this.bySocket.get(socket)
    if (known !== undefined) return known
    const answers = new Set<ServerResponse>()
    this.bySocket.set(socket, answers)
    const lost = () => {
      this.bySocket.delete(socket)
      for (const answer of answers) this.end(answer)
    }
    if (socket.destroyed) setImmediate(lost)
    else socket.once('close', lost)
    return answers
  }

  private end(answer: ServerResponse): void {
    if (this.all.delete(answer)) this.onOver(answer)
  }
}
