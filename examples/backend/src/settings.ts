import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/** What `npm run set-up` finds out once, and everything else reads. All of it but the client key is secret. */
const settings = z.object({
  baseUrl: z.string(),
  clientKey: z.string(),
  serverKey: z.string(),
  /** Signs who a player is. */
  playerSecret: z.string(),
  /** Shows that a webhook is the service's. */
  webhookSecret: z.string(),
  /** Shows that a result is one of our game servers'. */
  resultKey: z.string(),
})

export type Settings = z.infer<typeof settings>

export const readSettings = (file: string): Settings => settings.parse(JSON.parse(readFileSync(file, 'utf8')))

export const writeSettings = (file: string, found: Settings): void =>
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`, { mode: 0o600 })
