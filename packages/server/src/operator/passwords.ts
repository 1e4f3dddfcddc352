import { randomBytes } from 'node:crypto'
import { ConfigurationError } from '../config/configuration-error'
import { standardInput } from './standard-input'

/** Number of random bytes of a generated password: 144 bits, 24 characters. */
const DRAWN_BYTES = 18

/**
 * Returns the password from standard input without its line end, or a generated password. `told` is the generated
 * password, which must be printed; undefined for a password from standard input.
 */
export async function chosenPassword(
  fromStdin: boolean,
): Promise<{ readonly password: string; readonly told: string | undefined }> {
  if (!fromStdin) {
    const drawn = randomBytes(DRAWN_BYTES).toString('base64url')
    return { password: drawn, told: drawn }
  }
  const password = await standardInput()
  if (password === '') throw new ConfigurationError('--password-stdin: nothing came on standard input')
  return { password, told: undefined }
}
