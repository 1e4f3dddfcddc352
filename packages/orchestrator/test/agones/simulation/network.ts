import type { FakeClock, FakeRandom } from '@matchyard/testkit'
import type { Connection, KubeAnswer, KubeCall } from '../../../src/agones/kube/connection'
import { refusalOf, Unreachable } from '../../../src/agones/kube/errors'
import type { ApiRequest, OpenStream, Reply, Requests } from '../../../src/agones/testing/kubernetes/requests'
import { Feed } from './feed'
import { GRAIN_MS, type Life, never } from './life'
import { withinMs } from './spans'

/** Milliseconds after which a call times out, as in `connectionOf`. */
const TIMEOUT_MS = 15_000
/** Longest way of a call, or of its answer, in steps of `GRAIN_MS`. */
const LONGEST_WAY = 4

export interface NetworkSurroundings {
  /** Called where a life may end. */
  readonly point: (life: Life, where: string) => void
  /** Called for each call during an outage. */
  readonly met: (state: 'refused' | 'silent') => void
  /** Called at the end of an outage, with its length in milliseconds. */
  readonly over: (ms: number) => void
  /** Called for each answer that arrives. */
  readonly answered: (call: KubeCall, code: number) => void
}

/**
 * The network between the nodes of the service and the cluster, in place of sockets. Calls take time, and outages stop
 * them. `refused`: connections are refused. `silent`: packets are lost both ways, and streams stay open.
 */
export class Network {
  private state: 'fine' | 'refused' | 'silent' = 'fine'
  private isBehind = false
  private readonly feeds = new Set<Feed>()
  /** Outages, with their begin and end; the last may still go on. */
  private readonly outages: { readonly from: number; to: number }[] = []

  constructor(
    private readonly clock: FakeClock,
    private readonly random: FakeRandom,
    private readonly requests: Requests,
    private readonly around: NetworkSurroundings,
  ) {}

  become(state: 'fine' | 'refused' | 'silent'): void {
    if (state === this.state) return
    const wasSilent = this.state === 'silent'
    this.noteOutage(state)
    this.state = state
    for (const feed of [...this.feeds]) {
      // After a silence, a stream either gets the packets again, or its connection is found dead.
      if (state === 'refused' || (wasSilent && this.random.int(2) === 0)) feed.fail('connection reset')
      else if (state === 'silent') feed.hold()
      else if (!this.isBehind) feed.resume()
    }
  }

  /** Holds back the events of watches, while calls go on. */
  fallBehind(): void {
    this.isBehind = true
    for (const feed of this.feeds) feed.hold()
  }

  catchUp(): void {
    this.isBehind = false
    if (this.state !== 'silent') for (const feed of this.feeds) feed.resume()
  }

  /** Returns the milliseconds of outages between two times. */
  awayMs(from: number, to: number): number {
    return withinMs(this.outages, from, to)
  }

  connection(life: Life): Connection {
    return {
      server: 'simulated',
      send: (call) => this.send(life, call),
      stream: (call) => this.stream(life, call),
    }
  }

  private noteOutage(state: 'fine' | 'refused' | 'silent'): void {
    const now = this.clock.now()
    const last = this.outages.at(-1)
    if (this.state === 'fine') this.outages.push({ from: now, to: Number.POSITIVE_INFINITY })
    else if (state === 'fine' && last !== undefined) {
      last.to = now
      this.around.over(now - last.from)
    }
  }

  private async send(life: Life, call: KubeCall): Promise<KubeAnswer> {
    let answer: KubeAnswer | undefined
    await this.there(life, call, {
      answer(code, body, headers = {}) {
        answer = { code, text: textOf(body), retryAfter: headers['retry-after'] }
      },
      drop: () => {},
      stream: () => {
        throw new Error('a call is no stream')
      },
    })
    await this.back(life)
    if (answer === undefined) throw new Unreachable('simulated: the answer was lost')
    this.around.answered(call, answer.code)
    return answer
  }

  private async stream(life: Life, call: KubeCall): Promise<AsyncIterable<Buffer>> {
    let answer: KubeAnswer | undefined
    let feed: Feed | undefined
    await this.there(life, call, {
      answer(code, body, headers = {}) {
        answer = { code, text: textOf(body), retryAfter: headers['retry-after'] }
      },
      drop: () => {},
      stream: (closed): OpenStream => {
        feed = this.open(life, call, closed)
        return feed
      },
    })
    await this.back(life)
    if (feed !== undefined) return feed
    if (answer === undefined) throw new Unreachable('simulated: the answer was lost')
    this.around.answered(call, answer.code)
    throw refusalOf(answer.code, answer.text, answer.retryAfter)
  }

  private open(life: Life, { signal }: KubeCall, closed: () => void): Feed {
    const abort = () => feed.fail('not read any more')
    const feed = new Feed(
      (work) => life.after(this.ms(), work),
      () => {
        this.feeds.delete(feed)
        signal?.removeEventListener('abort', abort)
        closed()
      },
    )
    this.feeds.add(feed)
    signal?.addEventListener('abort', abort, { once: true })
    life.whenOver(() => feed.abandon())
    if (this.state === 'silent' || this.isBehind) feed.hold()
    return feed
  }

  /** Delivers a call to the cluster, unless an outage prevents it. */
  private async there(life: Life, call: KubeCall, reply: Reply): Promise<void> {
    if (call.signal?.aborted === true) throw new Unreachable('not waited for any more')
    const what = `${call.method} ${call.path.split('?', 1)[0]}`
    this.around.point(life, `before ${what}`)
    if (!life.alive) return never()
    await life.pause(this.ms())
    if (this.state !== 'fine') this.around.met(this.state)
    if (this.state === 'refused') throw new Unreachable('simulated: connection refused')
    const isSilent = this.state === 'silent'
    // In a silence, the last packet may still reach the cluster.
    if (!isSilent || this.random.int(3) === 0) this.requests.handle(requestOf(call), reply)
    this.around.point(life, `after ${what}`)
    if (!life.alive) return never()
    if (!isSilent) return
    await life.pause(TIMEOUT_MS)
    throw new Unreachable('simulated: timed out')
  }

  private async back(life: Life): Promise<void> {
    await life.pause(this.ms())
    if (this.state === 'fine') return
    if (this.state === 'silent') await life.pause(TIMEOUT_MS)
    throw new Unreachable('simulated: the connection broke')
  }

  private ms(): number {
    return GRAIN_MS * (1 + this.random.int(LONGEST_WAY))
  }
}

const textOf = (body: object | string): string => (typeof body === 'string' ? body : JSON.stringify(body))

const requestOf = ({ method, path, body, type }: KubeCall): ApiRequest => ({
  method,
  url: new URL(path, 'http://api'),
  body: body === undefined ? {} : JSON.parse(JSON.stringify(body)),
  type: type ?? 'application/json',
})
