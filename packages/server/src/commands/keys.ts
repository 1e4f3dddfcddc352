import { defineCommand } from 'citty'
import { keyStore } from '../operator/key-store'
import { chosenType, printKeys, printMinted } from '../operator/print-keys'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'

const project = {
  project: { type: 'string', description: 'The project id, prj_…', required: true },
} as const
const json = { json: { type: 'boolean', description: 'As JSON', default: false } } as const

const list = defineCommand({
  meta: { name: 'list', description: 'List the keys of a project, or of every project of an account.' },
  args: {
    project: { type: 'string', description: 'The project id, prj_…' },
    email: { type: 'string', description: "The account's e-mail address" },
    ...json,
  },
  run: ({ args }) =>
    tellFailure(() => keyStore(async (store) => printKeys(await store.list(args), args.json), { readsOnly: true })),
})

const mint = defineCommand({
  meta: { name: 'mint', description: 'Create a key of a project. Its value is printed only once.' },
  args: {
    ...project,
    type: { type: 'string', description: 'client or server', required: true },
    name: { type: 'string', description: 'What it is for' },
    ...json,
  },
  run: ({ args }) =>
    tellFailure(() =>
      keyStore(async (store) => {
        const minted = await store.mint({ project: args.project, type: chosenType(args.type), name: args.name })
        await printMinted(minted, args.json)
      }),
    ),
})

const revoke = defineCommand({
  meta: { name: 'revoke', description: 'End a key; requests with it fail at once.' },
  args: { ...project, key: { type: 'string', description: 'The key id, key_…', required: true } },
  run: ({ args }) =>
    tellFailure(() =>
      keyStore(async (store) => {
        await store.revoke(args)
        await print(`${args.key} is revoked\n`)
      }),
    ),
})

/**
 * Command by which an operator manages API keys directly in the storage: for a developer who cannot sign in, or after a
 * leak.
 */
export const keys = defineCommand({
  meta: { name: 'keys', description: 'List, create or revoke API keys directly in the storage.' },
  subCommands: { list, mint, revoke },
})
