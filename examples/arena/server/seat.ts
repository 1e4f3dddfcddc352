import type { WebSocket } from 'ws'
import { type Input, STILL } from '../game/physics'
import type { ToPage } from '../game/protocol'

/** More than this behind, the older wishes of a player are of no use any more. */
const INPUTS_KEPT = 3

/** A player's place in the match, connected or not. */
export class Seat {
  socket: WebSocket | undefined
  /** The newest input that the world has seen. */
  ack = 0
  /** Runs while they are away; then the seat is somebody else's. */
  leaving: NodeJS.Timeout | undefined
  private readonly inputs: { readonly seq: number; readonly input: Input }[] = []
  private last: Input = STILL

  constructor(
    readonly n: number,
    readonly playerId: string,
    public name: string,
    readonly hue: number,
  ) {}

  get isHere(): boolean {
    return this.socket !== undefined
  }

  /** Another connection of the same player takes the place of the one before. */
  connect(socket: WebSocket): void {
    clearTimeout(this.leaving)
    this.leaving = undefined
    const before = this.socket
    this.socket = socket
    before?.close(4_000, 'you play in another window')
    this.inputs.length = 0
    this.ack = 0
    this.last = STILL
  }

  say(message: ToPage): void {
    this.send(JSON.stringify(message))
  }

  send(text: string): void {
    // A page that does not keep up is told less, and not all of it later.
    if (this.socket !== undefined && this.socket.bufferedAmount < 64_000) this.socket.send(text)
  }

  hear(seq: number, input: Input): void {
    this.inputs.push({ seq, input })
    while (this.inputs.length > INPUTS_KEPT) {
      const passed = this.inputs.shift()
      const [first] = this.inputs
      // A dash that is passed over is still wanted.
      if (passed?.input.dash && first !== undefined)
        this.inputs[0] = { ...first, input: { ...first.input, dash: true } }
    }
  }

  /** For the next tick; what was wanted before goes on being wanted, except a dash. */
  next(): Input {
    const first = this.inputs.shift()
    if (first === undefined) this.last = { ...this.last, dash: false }
    else [this.last, this.ack] = [first.input, first.seq]
    return this.isHere ? this.last : STILL
  }
}
