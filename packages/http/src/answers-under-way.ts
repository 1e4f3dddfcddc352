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
