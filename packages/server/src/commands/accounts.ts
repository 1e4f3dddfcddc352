import { PLAN_CHOICES as CHOICES, type PlanChoice, SELF_HOSTED } from '@matchyard/core'
import { defineCommand } from 'citty'
import { ConfigurationError } from '../config/configuration-error'
import { readAccountsConfig } from '../config/serve-config'
import { BY_OPERATOR } from '../operator/by-operator'
import { makeAccount } from '../operator/make-account'
import { accountIdOf, nameOf, type OperatorsDesk, onStorage, prepareStorage } from '../operator/on-storage'
import { chosenPassword } from '../operator/passwords'
import { linesOf, printAccounts, printMade } from '../operator/print-accounts'
import { print } from '../service/print'
import { standardError } from '../service/standard-streams'
import { tellFailure } from '../service/tell-failure'

/** Number of accounts in each page that is read from the storage. */
const PAGE = 100

const email = { email: { type: 'string', description: "The account's e-mail address", required: true } } as const
const json = { json: { type: 'boolean', description: 'As JSON', default: false } } as const
const passwordStdin = {
  'password-stdin': { type: 'boolean', description: 'Read the password from standard input', default: false },
} as const

const create = defineCommand({
  meta: {
    name: 'create',
    description: 'Create an account with a project and its keys. The keys are printed only once.',
  },
  args: {
    ...email,
    project: { type: 'string', description: "The project's name", default: 'My game' },
    name: { type: 'string', description: "The account's name (default: the part of the address before the @)" },
    plan: { type: 'string', description: CHOICES.join(', '), default: SELF_HOSTED },
    operator: { type: 'boolean', description: 'May see and change the machines', default: false },
    ...passwordStdin,
    ...json,
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const config = readAccountsConfig(process.env)
      const plan = chosenPlan(args.plan)
      const { password, told } = await chosenPassword(args['password-stdin'])
      const isNew = await prepareStorage(config.databaseUrl)
      const name = args.name ?? (args.email.split('@')[0] || args.email)
      await onStorage(config, async ({ matchyard }) => {
        const { made, hasQueue } = await makeAccount(
          matchyard,
          { email: args.email, project: args.project, name, plan, password, operator: args.operator },
          config.operatorLimits,
        )
        standardError().write(
          `${isNew ? 'created a new database' : 'in the database'}: ${nameOf(config.databaseUrl)}\n`,
        )
        await printMade({ made, password: told }, { asJson: args.json, baseUrl: config.baseUrl, hasQueue })
      })
    }),
})

const list = defineCommand({
  meta: { name: 'list', description: 'List all accounts, oldest first.' },
  args: json,
  run: ({ args }) =>
    tellFailure(() =>
      onStorage({ ...readAccountsConfig(process.env), readsOnly: true }, async ({ matchyard }) => {
        const all = []
        for (let total = 1; all.length < total; ) {
          const page = await matchyard.accounts.list({ limit: PAGE, offset: all.length })
          all.push(...page.data)
          total = page.data.length === 0 ? 0 : page.total
        }
        await printAccounts(all, args.json)
      }),
    ),
})

const setPlan = defineCommand({
  meta: { name: 'set-plan', description: 'Put an account on a plan, at once and without a card.' },
  args: { ...email, plan: { type: 'string', description: CHOICES.join(', '), required: true } },
  run: ({ args }) => {
    return onAccount(args.email, async ({ matchyard }, accountId) => {
      const { plan, tariff } = await matchyard.billing.setPlan({ accountId, plan: chosenPlan(args.plan) }, BY_OPERATOR)
      await print(`${args.email} is on ${tariff ?? plan}\n`)
    })
  },
})

const setPassword = defineCommand({
  meta: { name: 'set-password', description: 'Set the password of an account and end its sessions.' },
  args: { ...email, ...passwordStdin },
  run: ({ args }) =>
    onAccount(args.email, async ({ matchyard }, accountId) => {
      const { password, told } = await chosenPassword(args['password-stdin'])
      await matchyard.accounts.setPassword({ accountId, password }, BY_OPERATOR)
      await print(told === undefined ? `${args.email} has another password\n` : linesOf({ password: told }))
    }),
})

const signInCode = defineCommand({
  meta: { name: 'sign-in-code', description: 'Print a link that signs in to an account, once and within ten minutes.' },
  args: { ...email, ...json },
  run: ({ args }) =>
    onAccount(args.email, async ({ matchyard }, accountId) => {
      const { baseUrl } = readAccountsConfig(process.env)
      const { code, expiresAt } = await matchyard.accounts.drawSignInCode({ accountId }, BY_OPERATOR)
      const told = { url: `${baseUrl}/console/#code=${code}`, code, expires_at: new Date(expiresAt).toISOString() }
      await print(args.json ? `${JSON.stringify(told, null, 2)}\n` : linesOf(told))
    }),
})

const removeSecondFactor = defineCommand({
  meta: { name: 'remove-second-factor', description: 'Remove the second factor of an account.' },
  args: email,
  run: ({ args }) =>
    onAccount(args.email, async ({ matchyard }, accountId) => {
      await matchyard.secondFactor.reset({ accountId }, BY_OPERATOR)
      await print(`${args.email} has no second factor\n`)
    }),
})

const disable = defineCommand({
  meta: { name: 'disable', description: 'End the sessions of an account, and refuse its keys and logins.' },
  args: email,
  run: ({ args }) =>
    onAccount(args.email, async ({ matchyard }, accountId) => {
      await matchyard.accounts.disable({ accountId }, BY_OPERATOR)
      await print(`${args.email} is disabled\n`)
    }),
})

const enable = defineCommand({
  meta: { name: 'enable', description: 'Accept the keys and the password of a disabled account again.' },
  args: email,
  run: ({ args }) =>
    onAccount(args.email, async ({ matchyard }, accountId) => {
      await matchyard.accounts.enable({ accountId }, BY_OPERATOR)
      await print(`${args.email} is enabled\n`)
    }),
})

const onAccount = (address: string, work: (desk: OperatorsDesk, accountId: string) => Promise<void>): Promise<void> =>
  tellFailure(() =>
    onStorage(readAccountsConfig(process.env), async (desk) => work(desk, await accountIdOf(desk.storage, address))),
  )

function chosenPlan(text: string): PlanChoice {
  const plan = CHOICES.find((choice) => choice === text)
  if (plan !== undefined) return plan
  throw new ConfigurationError(`--plan: ${JSON.stringify(text)} is not known; give one of ${CHOICES.join(', ')}`)
}

/**
 * Command by which an operator manages accounts directly in the storage, because `serve` accepts no registrations by
 * default.
 */
export const accounts = defineCommand({
  meta: { name: 'accounts', description: 'Create, list and change accounts directly in the storage.' },
  subCommands: {
    create,
    list,
    'set-plan': setPlan,
    'set-password': setPassword,
    'sign-in-code': signInCode,
    'remove-second-factor': removeSecondFactor,
    disable,
    enable,
  },
})
