import { useSignal } from '@preact/signals'
import { createProject } from '../data/project'
import type { Session } from '../data/session'
import { Button, Field, Input, sentenceOf } from '../ui'
import { AloneForm } from './alone-form'
import { leaveAll, switchTo } from './switch-project'

/** Page for an account without a project, with a form that creates the first project. */
export function FirstProject({ session }: { readonly session: Session }) {
  const name = useSignal('My game')
  const wrong = useSignal<string | undefined>(undefined)
  const make = async () => {
    wrong.value = undefined
    try {
      await switchTo(session, await createProject(session, name.value))
    } catch (error) {
      wrong.value = sentenceOf(error)
    }
  }
  return (
    <AloneForm onSubmit={make}>
      <h1>Your first project</h1>
      <p class="quiet">A project contains the keys, builds, queues, lobbies and servers of one game.</p>
      <Field label="Name" error={wrong.value}>
        {(named) => (
          <Input {...named} value={name.value} required maxLength={64} onInput={(value) => (name.value = value)} />
        )}
      </Field>
      <Button kind="primary" submit>
        Create project
      </Button>
      <Button kind="quiet" onClick={leaveAll}>
        Sign out
      </Button>
    </AloneForm>
  )
}
