import { readFileSync } from 'node:fs'

/** The configuration that the service wrote for this launch: who plays, what was chosen, how to call back. */
export function readConfig() {
  const path = process.env.SVC_CONFIG_FILE ?? '/svc/its_svc.json'
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    console.error(`cannot read ${path}: ${error.message}`)
    process.exit(2)
  }
}

/** The token lets its holder speak as this server; it is nobody else's. */
export function withoutSecrets({ token: _token, ...shown }) {
  return shown
}
