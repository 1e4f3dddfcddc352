import { type Entities, type EntityKind, StorageUnavailable } from '@matchyard/core/ports'
import { Batches } from '../batches/batches'
import { type Item, Waiting, type WaitingBounds } from '../batches/waiting'
import { fromColumn, toColumn } from '../column-text'
import type { Database } from '../database'
import { isDatabaseError } from '../database-error'
import { isConnectionLoss, isRace } from '../failure'
import { send, together } from '../send'
import { type PointBy, pointStatements, type Question, questionOf } from '../statements/points'

/**
 * Characters that are added to the length of each id or key in the size of a read, because each of them may return a
 * large entity.
 */
const SIZE_OF_BODY = 4_096

/** Returns the bounds of the reads that wait for a statement, and of one statement. */
export const readBounds = (patienceMs: number): WaitingBounds => ({
  batch: 256,
  batchSize: 1024 * 1024,
  waiting: 10_000,
  waitingSize: 64 * 1024 * 1024,
  patienceMs,
  name: 'reads',
})

/** Maximum number of reading statements that run at the same time on one node. */
const MAX_READERS = 3

interface Read extends Item {
  readonly question: Question
  readonly names: readonly string[]
  /** Receives the bodies of the found entities by id or key. */
  readonly resolve: (bodies: ReadonlyMap<string, string>) => void
}

const NOTHING: ReadonlyMap<string, string> = new Map()

/**
 * Reads entities by id or by key. The reads of concurrent calls share one statement, because most calls read the same
 * key, project, account and queue. A read is sent after its call, so it sees every commit that was acknowledged before
 * the call.
 */
export class PointReads {
  readonly #batches: Batches<Read>

  constructor(
    private readonly database: Database,
    readers: number,
    patienceMs: number,
  ) {
    // The maximum is at least two, so that a second statement can run while the connection of the first one does not
    // answer.
    const most = Math.max(2, Math.min(MAX_READERS, readers))
    this.#batches = new Batches(new Waiting(readBounds(patienceMs)), most, (batch) => this.#run(batch))
  }

  async get<K extends EntityKind>(kind: K, id: string): Promise<Entities[K] | undefined> {
    return parsed((await this.#ask(kind, 'id', [id])).get(id))
  }

  async getMany<K extends EntityKind>(kind: K, ids: readonly string[]): Promise<Entities[K][]> {
    if (ids.length === 0) return []
    const bodies = await this.#ask(kind, 'id', ids)
    return ids.flatMap((id) => parsed<Entities[K]>(bodies.get(id)) ?? [])
  }

  async find<K extends EntityKind>(kind: K, key: string): Promise<Entities[K] | undefined> {
    return parsed((await this.#ask(kind, 'key', [key])).get(key))
  }

  #ask(kind: EntityKind, by: PointBy, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    this.database.refuseClosed()
    const size = names.reduce((sum, name) => sum + name.length, names.length * SIZE_OF_BODY)
    return new Promise((resolve, reject) => {
      this.#batches.add({ question: questionOf(kind, by), names, size, resolve, reject })
    })
  }

  async #run(batch: readonly Read[]): Promise<void> {
    try {
      const found = await this.#read(batch)
      for (const { question, resolve } of batch) resolve(found.get(question) ?? NOTHING)
    } catch (error) {
      // A failure that concerns one row or table must not fail other reads, so each read runs alone.
      if (batch.length === 1 || !isOfOneRead(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await this.#run([one])
    }
  }

  async #read(batch: readonly Read[]): Promise<Map<Question, Map<string, string>>> {
    const asked = new Map<Question, Set<string>>()
    for (const { question, names } of batch) {
      const all = asked.get(question)
      if (all === undefined) asked.set(question, new Set(names))
      else for (const name of names) all.add(name)
    }
    const questions = [...asked.keys()].sort((a, b) => a - b)
    const listOf = (question: Question) => [...(asked.get(question) ?? [])].map(toColumn)
    const answers = await this.database.readOn((client) => {
      const sendAll = () =>
        pointStatements(questions).map(({ statement, questions }) => send(client, statement, questions.map(listOf)))
      return Promise.all(together(client, sendAll))
    })
    const found = new Map<Question, Map<string, string>>(questions.map((question) => [question, new Map()]))
    for (const { rows } of answers) {
      for (const { question, name, body } of rows) found.get(question)?.set(fromColumn(name), body)
    }
    return found
  }
}

function parsed<T>(body: string | undefined): T | undefined {
  return body === undefined ? undefined : JSON.parse(body)
}

/** Classes of error codes that concern one row, table or text: damage, permissions, names, values, locks. */
const OF_ONE_READ = /^(XX|42|55|22)/

function isOfOneRead(error: unknown): boolean {
  const reason = error instanceof StorageUnavailable ? error.cause : error
  return isDatabaseError(reason) && OF_ONE_READ.test(reason.code ?? '') && !isRace(reason) && !isConnectionLoss(reason)
}
