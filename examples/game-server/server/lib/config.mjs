import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY_MS = 100

/**
 * The configuration that the service wrote for this launch: who plays, what was chosen, how to call back. Of a server that was started
 * before there is a match for it the file is empty until there is one; while it is written a part may be read.
 */
export async function readConfig() {
  const path = process.env.SVC_CONFIG_FILE ?? '/svc/its_svc.json'
  for (let looks = 1; ; looks++) {
    try {
      return JSON.parse(readFileSync(path, 'utf8'))
    } catch (error) {
      if (!(error instanceof SyntaxError)) {
        console.error(`cannot read ${path}: ${error.message}`)
        process.exit(2)
      }
    }
    if (looks === 1) console.log('waiting for a match')
    await pause(LOOK_EVERY_MS)
  }
}

/** The token lets its holder speak as this server; it is nobody else's. */
export function withoutSecrets({ token: _token, ...shown }) {
  return shown
}
