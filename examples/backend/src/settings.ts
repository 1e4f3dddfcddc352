import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/** Settings that `npm run set-up` writes once. All of them are secret except the client key. */
const settings = z.object({
  baseUrl: z.string(),
  clientKey: z.string(),
  serverKey: z.string(),
  /** Key that signs player tokens. */
  playerSecret: z.string(),
  /** Key that checks that a webhook message comes from the service. */
  webhookSecret: z.string(),
  /** Key that checks that a result comes from a game server of the studio. */
  resultKey: z.string(),
})

export type Settings = z.infer<typeof settings>

export const readSettings = (file: string): Settings => settings.parse(JSON.parse(readFileSync(file, 'utf8')))

export const writeSettings = (file: string, found: Settings): void =>
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`, { mode: 0o600 })
