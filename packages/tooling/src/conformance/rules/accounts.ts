import { section } from './define'

export const SESSION_RULES = section('specification', 'Resources: Session, Account', {
  'S-SES-01': 'A session is `token`, `token_type`, `expires_at`, `account`; the type is always `Bearer`',
  'S-SES-02': 'The token is a JWT, valid for 7 days, which `expires_at` says',
  'S-SES-03': 'After 7 days the token has expired',
  'S-SES-04': 'A refresh invalidates the token used and issues a new one for 7 days at once',
  'S-ACC-01': 'An account is `id`, `email`, `name`, `plan`, `created_at`, `updated_at`; GET /v1/account answers it',
  'S-ACC-02': 'One account is one human and one login: an e-mail address registers once',
})

export const PROJECT_RULES = section('specification', 'Resources: Project, API key', {
  'S-PRJ-01': 'A project is `project_id`, `account_id`, `name`, `slug`, `created_at`, `updated_at`',
  'S-PRJ-02': 'GET /v1/projects lists the account’s projects in the list envelope, and no other account’s',
  'S-PRJ-03': 'Deleting a project is an empty success and removes it for good',
  'S-PRJ-04': 'Deleting a project removes its builds',
  'S-PRJ-05': 'Deleting a project revokes all its keys at once',
  'S-PRJ-06': 'A project under which any server runs is not deleted: PROJECT_HAS_RUNNING_SERVERS',
  'S-KEY-01': 'A key’s `key_id` is never its value',
  'S-KEY-02': 'A key’s value is answered once, when it is minted, and never again',
  'S-KEY-03': 'Revoking a key is an empty success; requests with it fail at once with INVALID_API_KEY',
  'S-KEY-04': 'Revoking a revoked key fails with KEY_REVOKED',
  'S-KEY-05': 'Servers that a revoked key started keep running',
  'S-KEY-06': 'An API key carries its project: it reaches no other project’s objects',
})

export const ACCOUNT_CONTRACT_RULES = section('contract', '§2 Account, projects, keys', {
  'C-2-01': 'Register takes `email`, `password` (8..256) and `name`, answers 201 with a session, on `free`',
  'C-2-02': 'Login takes `email` and `password` and answers 200 with a session',
  'C-2-03': 'Of many refreshes at once exactly one wins; the old token answers INVALID_SESSION_TOKEN',
  'C-2-04': 'Logout answers 204 and ends the token',
  'C-2-05': 'One login does not end another login’s token',
  'C-2-06': 'An unknown address and a wrong password get the same answer, INVALID_LOGIN',
  'C-2-07': 'E-mail addresses are compared lower-cased',
  'C-2-08': 'Creating a project answers 201 with the project and a client and a server key with their values',
  'C-2-09': 'A project’s name is 1 to 64 characters long',
  'C-2-10': 'The slug is derived from the name and unique in the account',
  'C-2-11': 'GET /v1/projects/{project_id} answers the project, of the own account only',
  'C-2-12': 'Keys are listed in the envelope, without values',
  'C-2-13': 'Minting takes `type` (`client`, `server`) and an optional `name`, and answers 201 with `key`',
  'C-2-14': 'A key is `key_id`, `project_id`, `type`, `name`, `last4`, `created_at`, `revoked_at`, `expires_at`',
  'C-2-15': 'A key’s value is its prefix, 30 base62 characters and their CRC-32 as 6 base62 digits',
  'C-2-16': 'Only a SHA-256 of a key’s value is stored',
  'C-2-17': 'A session token is HS256, `sub` the account, `jti` the session',
  'C-2-18': 'An unknown key is KEY_NOT_FOUND, also another project’s',
  'C-2-19': 'Deleting a project ends its lobbies with `lobby_deleted`, and their streams',
  'C-2-20': '`launching`, `running` and `stopping` servers block the deletion of a project, ended ones do not',
  'C-2-21': 'Failed logins are throttled at 5 a minute per account and address; those from elsewhere refuse nobody',
  'C-2-22': 'Failed logins are throttled at 30 in 10 minutes per address; forwarded headers do not count',
  'C-2-23': 'A deleted project’s queues and invite codes are gone',
  'C-2-24': 'Passwords are stored as argon2id',
  'C-2-25': 'A request after a revoke, refresh or logout fails on every node',
  'C-2-26': 'Forwarded addresses count where proxies are configured',
})
