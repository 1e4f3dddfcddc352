import type { AccountProfile } from '@matchyard/core'
import { shownText } from '@matchyard/core/domain'
import { firstCalls } from '../dev/first-calls'
import { print } from '../service/print'
import type { MadeAccount } from './make-account'

/** Returns names and values as aligned lines. */
export function linesOf(values: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(values).map(({ length }) => length))
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}\n`)
    .join('')
}

/**
 * Prints the values of a new account that can be shown only once. A password from standard input is not printed,
 * because the operator knows it.
 */
export async function printMade(
  { made, password }: { made: MadeAccount; password: string | undefined },
  { asJson, baseUrl, hasQueue }: { asJson: boolean; baseUrl: string; hasQueue: boolean },
): Promise<void> {
  const { account_id, email, ...rest } = made
  const told = { account_id, email, ...(password === undefined ? {} : { password }), ...rest }
  if (asJson) return print(`${JSON.stringify({ base_url: baseUrl, ...told }, null, 2)}\n`)
  await print(linesOf(told))
  if (!hasQueue) return
  const lines = [
    '',
    'Neither the keys nor a password can be shown again. The project has a queue of duels to try them on:',
    '',
    ...firstCalls({ url: baseUrl, client: made.client_key, server: made.server_key }),
    '',
  ]
  await print(`${lines.join('\n')}\n`)
}

export function printAccounts(
  accounts: readonly (AccountProfile & { readonly isDisabled: boolean })[],
  asJson: boolean,
): Promise<void> {
  const rows = accounts.map(({ id, email, name, plan, tariff, isDisabled, createdAt }) => ({
    account_id: id,
    email,
    name,
    plan,
    ...(tariff === undefined ? {} : { tariff }),
    disabled: isDisabled,
    created_at: new Date(createdAt).toISOString(),
  }))
  const lines = rows.map(
    (row) =>
      `${row.account_id}  ${row.created_at}  ${row.disabled ? 'disabled' : 'active  '}  ${row.tariff ?? row.plan}  ${shownText(row.email)}  ${shownText(row.name)}\n`,
  )
  return print(asJson ? `${JSON.stringify(rows, null, 2)}\n` : lines.join(''))
}
