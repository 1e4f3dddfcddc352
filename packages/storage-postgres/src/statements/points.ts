import { ENTITY_KINDS, type EntityKind } from '@matchyard/core/ports'
import { ENTITY_TABLES } from '../tables'
import { type Statement, statement } from './statement'

/** Whether an entity is found by its id, or by a unique key that it holds. */
export type PointBy = 'id' | 'key'

/** A kind of entity together with `id` or `key`, as a number. */
export type Question = number

export interface PointRow {
  readonly question: Question
  /** The id or key that was asked for. */
  readonly name: string
  readonly body: string
}

/**
 * A statement, with the questions that it answers. Its parameters are one list of ids or keys for each question, in the
 * order of the questions.
 */
export interface PointStatement {
  readonly statement: Statement<PointRow>
  readonly questions: readonly Question[]
}

const QUESTIONS = (['id', 'key'] as const).flatMap((by) => ENTITY_KINDS.map((kind) => ({ kind, by })))
const numbers = new Map(QUESTIONS.map(({ kind, by }, number) => [`${by} ${kind}`, number]))

export const questionOf = (kind: EntityKind, by: PointBy): Question => numbers.get(`${by} ${kind}`) ?? -1

const partOf = ({ kind, by }: (typeof QUESTIONS)[number], question: Question, parameter: number) => {
  const { table } = ENTITY_TABLES[kind]
  return by === 'id'
    ? `select ${question} as question, id as name, body from ${table} where id = any($${parameter})`
    : `select ${question} as question, k.key as name, e.body from unique_key k join ${table} e on e.id = k.id
       where k.key = any($${parameter}) and k.kind = '${kind}'`
}

function made(name: string, questions: readonly Question[]): PointStatement {
  const parts = QUESTIONS.map((question, number) => ({ question, number }))
    .filter(({ number }) => questions.includes(number))
    .map(({ question, number }, index) => partOf(question, number, index + 1))
  return { statement: statement(name, parts.join('\nunion all\n')), questions }
}

/** One statement for each question. */
const single = QUESTIONS.map((_, question) => made(`points_${question}`, [question]))
const combined = new Map<string, PointStatement>()
/** Maximum number of combinations of questions, because every connection keeps the plan of each combination. */
export const MAX_COMBINED = 64

/**
 * Returns the statements that answer these questions, which must be in ascending order. The result is one statement, or
 * one for each question when the combination is new and the maximum is reached.
 */
export function pointStatements(questions: readonly Question[]): readonly PointStatement[] {
  if (questions.length === 1) return single.filter((_, question) => question === questions[0])
  const key = questions.join()
  const found = combined.get(key)
  if (found !== undefined) return [found]
  if (combined.size >= MAX_COMBINED) return single.filter((_, question) => questions.includes(question))
  // The name contains only a number, because PostgreSQL cuts off longer names after 63 characters.
  const statement = made(`points_of_${combined.size}`, questions)
  combined.set(key, statement)
  return [statement]
}
