import type { Writable } from 'node:stream'
import type { ClientBase } from 'pg'
import type { Statement } from './statements/statement'

export interface Answer<Row> {
  readonly rows: Row[]
  readonly count: number
}

/** Sends a statement on a connection. Rejects with the driver's own failures. */
export async function send<Row>(
  client: ClientBase,
  { name, text }: Statement<Row>,
  values: readonly unknown[],
): Promise<Answer<Row>> {
  const { rows, rowCount } = await client.query({ name, text, values: [...values] })
  return { rows: rows as Row[], count: rowCount ?? 0 }
}

/** Runs a function that sends several statements, and passes these statements to the network together. */
export function together<T>(client: ClientBase, sendAll: () => T): T {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection
  stream.cork()
  try {
    return sendAll()
  } finally {
    stream.uncork()
  }
}
