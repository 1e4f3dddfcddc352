// Further variables of the game server, which may be secret: they go from the service to the server by pipes, and to no file.
import { readFileSync } from 'node:fs'

/** File descriptor by which the service sends the variables, as JSON. */
const FROM_SERVICE = 3

/** Returns the variables that the service sent. Throws when the service ended before it sent all of them. */
export function receivedEnvironment() {
  const text = readFileSync(FROM_SERVICE, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    // The error of the parser is not passed on, because it quotes the text.
    throw new Error('the variables of the game server did not arrive')
  }
}

/** Returns the commands of a shell that set the variables. */
export const shellCommands = (environment) =>
  Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join('')
