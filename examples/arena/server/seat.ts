import type { WebSocket } from 'ws'
import { type Input, STILL } from '../game/physics'
import type { ToPage } from '../game/protocol'

/** Maximum inputs that wait; older inputs are dropped, because they are too late. */
const INPUTS_KEPT = 3

/** A player's seat in the match, connected or not. */
export class Seat {
  socket: WebSocket | undefined
  /** Number of the newest input that the world has used. */
  ack = 0
  /** Timer of a disconnected player; when it fires, the seat is open to other players. */
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

  /** Connects the player. A new connection replaces an earlier one of the same player. */
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
    // A slow page gets fewer snapshots; they are not buffered for later.
    if (this.socket !== undefined && this.socket.bufferedAmount < 64_000) this.socket.send(text)
  }

  hear(seq: number, input: Input): void {
    this.inputs.push({ seq, input })
    while (this.inputs.length > INPUTS_KEPT) {
      const passed = this.inputs.shift()
      const [first] = this.inputs
      // The dash of a dropped input is kept.
      if (passed?.input.dash && first !== undefined)
        this.inputs[0] = { ...first, input: { ...first.input, dash: true } }
    }
  }

  /** Returns the input for the next tick. Without a new input the last one is repeated, except its dash. */
  next(): Input {
    const first = this.inputs.shift()
    if (first === undefined) this.last = { ...this.last, dash: false }
    else [this.last, this.ack] = [first.input, first.seq]
    return this.isHere ? this.last : STILL
  }
}
