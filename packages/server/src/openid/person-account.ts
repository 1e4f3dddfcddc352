import { randomBytes } from 'node:crypto'
import { DEFAULT_PLAN, type Matchyard, ServiceError } from '@matchyard/core'
import { type Storage, uniqueKey } from '@matchyard/core/ports'
import { type Person, SignInRefused } from './provider'

/** Where the accounts are. */
export interface Accounts {
  readonly matchyard: Matchyard
  readonly storage: Storage
}

/**
 * Returns the account with the e-mail address of a person. A person without an account gets one that owns nothing, and that nobody can use
 * by password. Rejects with SignInRefused when the account is disabled.
 */
export async function accountOfPerson({ matchyard, storage }: Accounts, person: Person): Promise<string> {
  const known = await findAccount(storage, person)
  if (known !== undefined) return known
  try {
    const password = randomBytes(48).toString('base64url')
    const { id } = await matchyard.accounts.create({ ...person, password, plan: DEFAULT_PLAN, guest: true })
    return id
  } catch (error) {
    // Another sign-in of the same person created the account meanwhile.
    const made =
      error instanceof ServiceError && error.code === 'EMAIL_TAKEN' ? await findAccount(storage, person) : undefined
    if (made === undefined) throw error
    return made
  }
}

async function findAccount(storage: Storage, { email }: Person): Promise<string | undefined> {
  const account = await storage.find('account', uniqueKey.email(email))
  if (account?.disabledAt != null) throw new SignInRefused('disabled')
  return account?.id
}
