import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useProject } from '../../data/hooks'
import { go } from '../../data/route'
import { Button, type Faults, Field, FormDialog, faultsOf, Icon, Input, NO_FAULTS, Text } from '../../ui'
import { bytes } from './bytes'
import type { Named } from './named'
import { upload } from './uploads'

/** Drop zone for an archive. A dialog then asks for the name and the program. */
export function DropZone({ named, name }: { readonly named: readonly Named[]; readonly name?: string }) {
  const over = useSignal(false)
  const chosen = useSignal<File | undefined>(undefined)
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? []
    if (file !== undefined) chosen.value = file
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop on; the button in it does the same for the keyboard */}
      <div
        class={over.value ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault()
          over.value = true
        }}
        onDragLeave={() => (over.value = false)}
        onDrop={(event) => {
          event.preventDefault()
          over.value = false
          take(event.dataTransfer?.files)
        }}
      >
        <Icon name="upload" size={20} />
        <span>
          <strong>Drop a ZIP of your game server here</strong>
          <span class="quiet small"> The service checks the archive and unpacks it at /svc.</span>
        </span>
        <Button onClick={() => input.current?.click()}>Choose a file</Button>
        <input
          ref={input}
          class="unseen"
          type="file"
          accept=".zip,application/zip"
          tabIndex={-1}
          aria-label="Archive"
          onChange={({ currentTarget }) => {
            take(currentTarget.files)
            currentTarget.value = ''
          }}
        />
      </div>
      {chosen.value !== undefined && (
        <UploadDialog
          file={chosen.value}
          named={named}
          fixed={name}
          onClose={() => {
            chosen.value = undefined
          }}
        />
      )}
    </>
  )
}

/**
 * Returns a valid build name from a file name: letters, digits, dots, underscores and dashes, at most 64 characters.
 */
const nameOf = (file: string) =>
  file
    .replace(/\.zip$/i, '')
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .replace(/^[^a-zA-Z0-9]+/, '')
    .slice(0, 64)

function UploadDialog({
  file,
  named,
  fixed,
  onClose,
}: {
  readonly file: File
  readonly named: readonly Named[]
  readonly fixed: string | undefined
  readonly onClose: () => void
}) {
  const project = useProject()
  const name = useSignal(fixed ?? nameOf(file.name))
  const versions = named.find((one) => one.name === name.value)?.versions
  // Failed versions are skipped: a wrong path may be the reason for the failure.
  const before = versions?.find((one) => one.executable_path !== undefined && one.status !== 'failed')
  const path = useSignal<string | undefined>(undefined)
  const wrong = useSignal<Faults>(NO_FAULTS)
  const executablePath = path.value ?? before?.executable_path ?? ''
  const begin = async () => {
    wrong.value = NO_FAULTS
    try {
      await upload(project, { name: name.value, executablePath, file })
      onClose()
      go('builds', name.value)
    } catch (error) {
      wrong.value = faultsOf(error, ['name', 'executable_path'])
    }
  }
  return (
    <FormDialog
      title="Upload a build"
      onClose={onClose}
      confirm="Upload"
      icon="upload"
      disabled={name.value === '' || executablePath === ''}
      onConfirm={begin}
      faults={wrong.value}
    >
      <p class="quiet">
        <Text>{file.name}</Text>, {bytes(file.size)}
      </p>
      <Field
        label="Name"
        error={wrong.value.of.name}
        hint={
          versions === undefined
            ? 'The name by which queues and servers refer to the build.'
            : `This upload becomes version ${versions[0].version + 1} or later of the build.`
        }
      >
        {(given) => <Input {...given} value={name.value} maxLength={64} onInput={(value) => (name.value = value)} />}
      </Field>
      <Field
        label="Program"
        hint="Path of the executable in the archive, for example server or bin/server.x86_64"
        error={wrong.value.of.executable_path}
      >
        {(given) => <Input {...given} value={executablePath} onInput={(value) => (path.value = value)} />}
      </Field>
    </FormDialog>
  )
}

/** Dialog that registers a container image as a build. */
export function ImageDialog({ name: fixed = '', onClose }: { readonly name?: string; readonly onClose: () => void }) {
  const { project, session } = useProject()
  const name = useSignal(fixed)
  const image = useSignal('')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const register = async () => {
    wrong.value = NO_FAULTS
    try {
      const body = { name: name.value, image_url: image.value.trim() }
      await session.wire.post(`/v1/builds/docker-image?project_id=${encodeURIComponent(project.project_id)}`, body)
      onClose()
      go('builds', name.value)
    } catch (error) {
      wrong.value = faultsOf(error, ['name', 'image_url'])
    }
  }
  return (
    <FormDialog
      title="Register an image"
      onClose={onClose}
      confirm="Register"
      disabled={name.value === '' || image.value.trim() === ''}
      onConfirm={register}
      faults={wrong.value}
    >
      <Field label="Name" hint="The name by which queues and servers refer to the build." error={wrong.value.of.name}>
        {(given) => <Input {...given} value={name.value} maxLength={64} onInput={(value) => (name.value = value)} />}
      </Field>
      <Field
        label="Image"
        hint="For example ghcr.io/studio/server:1.2. The service resolves the tag once, when it processes the build."
        error={wrong.value.of.image_url}
      >
        {(given) => <Input {...given} value={image.value} onInput={(value) => (image.value = value)} />}
      </Field>
    </FormDialog>
  )
}
