import { readFileSync, statSync } from 'node:fs'
import { isMatchyardError } from '@matchyard/client'
import { defineCommand } from 'citty'
import { ConfigurationError } from '../config/configuration-error'
import { packFolder } from '../operator/pack-folder'
import { runningService } from '../operator/running-service'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'

const upload = defineCommand({
  meta: { name: 'upload', description: 'Upload a folder, or a ZIP, as the next version of a build.' },
  args: {
    from: { type: 'positional', description: 'A folder, or a ZIP of one', required: true },
    name: { type: 'string', description: "The build's name: the version_tag of a queue", required: true },
    executable: { type: 'string', description: 'Path of the executable in the archive', required: true },
  },
  run: ({ args: { from, name, executable } }) =>
    tellFailure(async () => {
      const service = runningService(process.env)
      const zip = isFolder(from) ? await packFolder(from, executable) : readFileSync(from)
      try {
        const { version } = await service.builds.upload({ name, executablePath: executable, zip })
        await print(`${name}, version ${version}, is ready (${Math.ceil(zip.byteLength / 1024)} kB)\n`)
      } catch (error) {
        if (!isMatchyardError(error)) throw error
        throw new ConfigurationError(error.detail)
      }
    }),
})

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new ConfigurationError(`there is no ${path}: name a folder, or a ZIP of one`)
  return found.isDirectory()
}

/** Command by which a studio uploads builds. It uses the HTTP API of a running service, as any backend does. */
export const builds = defineCommand({
  meta: {
    name: 'builds',
    description: 'Upload game servers to a running service (MATCHYARD_URL, MATCHYARD_SERVER_KEY).',
  },
  subCommands: { upload },
})
