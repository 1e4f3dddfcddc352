import { type ClientRequest, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../../eventually'
import type { ChaosWorld } from './world'

const RECONNECT_MS = 100
/** Number of events after which the dashboard connects to another node, even when no node was killed. */
const MOVE_ON_AFTER = 200
/** Milliseconds within which all committed changes must arrive, even when signals were lost. */
const CATCH_UP_MS = 60_000
const PAGE = 100
const KINDS = ['lobby', 'server', 'queue', 'build', 'match'] as const
type Kind = (typeof KINDS)[number]

interface Change {
  readonly kind: Kind
  readonly id: string
  readonly version: number
  readonly data: object | null
}

interface Known {
  readonly version: number
  readonly data: object
}

/** By kind of object: the path of its list and the name of the id field. The API has no list of matches. */
const LISTS: Readonly<Record<Exclude<Kind, 'match'>, readonly [path: string, id: string]>> = {
  lobby: ['/v1/lobbies?include_private=true', 'lobby_id'],
  server: ['/v1/servers?', 'instance_id'],
  queue: ['/v1/queues?', 'queue_id'],
  build: ['/v1/builds?', 'build_id'],
}

/**
 * A dashboard that reads the project's feed from changing nodes. It resumes where the last connection ended and reads
 * all lists again after a gap. At the end, the dashboard's state must equal the lists and the answer to each GET.
 */
export class FeedFollowing {
  private readonly known = new Map<string, Known>()
  private cursor: string | undefined
  private sent: ClientRequest | undefined
  private over = false
  private seen = 0
  private readonly following: Promise<void>

  constructor(private readonly world: ChaosWorld) {
    this.following = this.follow()
  }

  /**
   * Waits until the dashboard's state equals the lists, and stops the dashboard. Records a violation when the state
   * does not become equal in time.
   */
  async finish(): Promise<void> {
    try {
      await eventually(
        () => this.differences(),
        (wrong) => wrong.length === 0,
        CATCH_UP_MS,
      )
    } catch (error) {
      this.world.violations.push(`the feed does not show what is so: ${String(error).slice(0, 2_000)}`)
    }
    this.over = true
    this.sent?.destroy()
    await this.following
  }

  private async differences(): Promise<string[]> {
    const shown = await this.readAll()
    const names = [...new Set([...shown.keys(), ...this.known.keys()])]
    return names.filter((name) => JSON.stringify(shown.get(name)?.data) !== JSON.stringify(this.known.get(name)?.data))
  }

  private async follow(): Promise<void> {
    while (!this.over) {
      const { baseUrl } = await this.world.node()
      try {
        await this.connect(baseUrl)
      } catch {
        // The connection broke because its node was killed. The next connection uses another node.
      }
      if (!this.over) await wait(RECONNECT_MS)
    }
  }

  /**
   * Reads one connection until it breaks or enough events came. Messages that arrive while the lists are being read are
   * applied afterwards.
   */
  private async connect(baseUrl: string): Promise<void> {
    const headers = {
      'api-key': this.world.cluster.serverKey,
      ...(this.cursor === undefined ? {} : { 'last-event-id': this.cursor }),
    }
    this.world.count(this.cursor === undefined ? 'feeds opened' : 'feeds resumed')
    const sent = request(new URL('/v1/events', baseUrl), { headers, agent: false })
    this.sent = sent
    const body = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve)
      sent.on('error', reject)
      sent.end()
    })
    let text = ''
    body.setEncoding('utf8')
    for await (const chunk of body) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const frame = text.slice(0, end)
        text = text.slice(end + 2)
        await this.take(frame)
        if (this.over || this.seen >= MOVE_ON_AFTER) {
          this.seen = 0
          sent.destroy()
          return
        }
      }
    }
  }

  private async take(frame: string): Promise<void> {
    const fields = new Map(
      frame.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.replace(/^[a-z]*: ?/, '')]),
    )
    const [event, id, data] = [fields.get('event'), fields.get('id'), fields.get('data')]
    if (event === 'change' && data !== undefined) {
      this.seen++
      this.world.count('changes told')
      this.learn(JSON.parse(data) as Change)
    } else if (event === 'gap' || (event === 'hello' && this.cursor === undefined)) {
      if (event === 'gap') this.world.count('gaps told')
      this.cursor = undefined
      const all = await this.readAll()
      this.known.clear()
      for (const [name, known] of all) this.known.set(name, known)
    }
    if (id !== undefined) this.cursor = id
  }

  private learn({ kind, id, version, data }: Change): void {
    const name = `${kind} ${id}`
    if (version < (this.known.get(name)?.version ?? 0)) return
    if (data === null) this.known.delete(name)
    else this.known.set(name, { version, data })
  }

  private async readAll(): Promise<Map<string, Known>> {
    const all = new Map<string, Known>()
    for (const [kind, [path, id]] of Object.entries(LISTS)) {
      for (let offset = 0, more = true; more; ) {
        const page = `${path}&limit=${PAGE}&offset=${offset}`
        const { body } = await this.get<{ data: Record<string, unknown>[]; has_more: boolean }>(page)
        for (const one of body.data) {
          // Only versions of lobbies are compared. Versions of builds have another meaning, and queues and servers have
          // no version in the API, so each message about them counts as newer.
          const version = kind === 'lobby' ? Number(one.version) : 0
          all.set(`${kind} ${String(one[id])}`, { version, data: one })
        }
        offset += body.data.length
        more = body.has_more
      }
    }
    const named = [...this.known.keys()].flatMap((name) => (name.startsWith('match ') ? [name.slice(6)] : []))
    const told = [...all.values()].flatMap(({ data }) => (data as { match_id?: string | null }).match_id ?? [])
    for (const matchId of new Set([...named, ...told])) {
      const { status, body } = await this.get<{ version: number }>(`/v1/matches/${matchId}`)
      if (status === 200) all.set(`match ${matchId}`, { version: body.version, data: body })
    }
    return all
  }

  private get<T>(path: string) {
    return this.world.insist<T>({ method: 'GET', path, key: this.world.cluster.serverKey })
  }
}
