import { defineCommand } from 'citty'
import { refusedIn } from '../operator/queue-file'
import { runningService } from '../operator/running-service'
import { standardInput } from '../operator/standard-input'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'

const name = { name: { type: 'positional', description: 'Name of the secret', required: true } } as const

type Service = ReturnType<typeof runningService>

/** Runs a command with a running service. A refusal of the service is printed as a sentence. */
const withService = (run: (service: Service) => Promise<string>) =>
  tellFailure(async () => {
    const service = runningService(process.env)
    const told = await run(service).catch((error: unknown) => {
      throw refusedIn('the secret', error)
    })
    await print(told)
  })

const set = defineCommand({
  meta: { name: 'set', description: 'Set a secret. The value comes from standard input, without its last line break.' },
  args: name,
  run: ({ args }) =>
    withService(async ({ secrets }) => {
      await secrets.set(args.name, await standardInput())
      return `${args.name} is set\n`
    }),
})

const list = defineCommand({
  meta: { name: 'list', description: 'List the names of the secrets, with the times at which they were set.' },
  run: () =>
    withService(async ({ secrets }) =>
      (await secrets.list()).map((secret) => `${secret.updated_at}  ${secret.name}\n`).join(''),
    ),
})

const remove = defineCommand({
  meta: { name: 'delete', description: 'Delete a secret.' },
  args: name,
  run: ({ args }) =>
    withService(async ({ secrets }) => {
      await secrets.delete(args.name)
      return `${args.name} is deleted\n`
    }),
})

/** Command by which a studio manages the secrets of its game servers. It uses the HTTP API of a running service. */
export const secrets = defineCommand({
  meta: {
    name: 'secrets',
    description: "Set, list and delete a project's secrets in a running service (MATCHYARD_URL, MATCHYARD_SERVER_KEY).",
  },
  subCommands: { set, list, delete: remove },
})
