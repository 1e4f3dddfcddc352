import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY_MS = 100

/**
 * Returns the configuration of this launch, which the service writes: players, settings, address for calls. The file of
 * a server that started before its match is empty until the match; a read during the write may see a part.
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

/** Returns the configuration without the token, which would let its holder act as this server. */
export function withoutSecrets({ token: _token, ...shown }) {
  return shown
}
