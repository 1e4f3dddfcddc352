import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Answers that the server must still send or complete. Node emits no event for an answer that is queued behind another
 * one when the connection of both answers is lost. This class therefore ends all answers of a connection when the
 * connection ends.
 */
export class AnswersUnderWay implements Iterable<ServerResponse> {
  private readonly all = new Set<ServerResponse>()
  private readonly bySocket = new Map<Socket, Set<ServerResponse>>()

  constructor(private readonly onOver: (answer: ServerResponse) => void = () => {}) {}

  /** Number of answers under way. */
  get size(): number {
    return this.all.size
  }

  /** Returns the answers under way, in the order in which they began. */
  [Symbol.iterator](): Iterator<ServerResponse> {
    return this.all.values()
  }

  /** Adds an answer that began on a connection, and removes it when it ends. */
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
