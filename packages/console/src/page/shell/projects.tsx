import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../data/hooks'
import { createProject, listProjects } from '../data/project'
import { Button, type Faults, Field, faultsOf, Icon, Input, NO_FAULTS, OtherFault, Text, View } from '../ui'
import { Dialog } from '../ui/dialog'
import { switchTo } from './switch-project'

/** Dialog that opens another project of the account, or creates a project. */
export function Projects({ onClose }: { readonly onClose: () => void }) {
  const { session, project: here } = useProject()
  const all = useRead(() => listProjects(session), [session])
  const name = useSignal('')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const make = async () => {
    wrong.value = NO_FAULTS
    try {
      await switchTo(session, await createProject(session, name.value))
      onClose()
    } catch (error) {
      wrong.value = faultsOf(error, ['name'])
    }
  }
  return (
    <Dialog title="Projects" onClose={onClose}>
      <View of={all.now} again={all.again}>
        {(projects) => (
          <ul class="projects">
            {projects.map((project) => (
              <li key={project.project_id}>
                <Button
                  kind="quiet"
                  onClick={async () => {
                    if (project.project_id !== here.project_id) await switchTo(session, project)
                    onClose()
                  }}
                >
                  <Text>{project.name}</Text>
                  {project.project_id === here.project_id && <Icon name="check" />}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </View>
      <form
        class="new-project"
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <Field label="New project" error={wrong.value.of.name}>
          {(named) => (
            <Input
              {...named}
              value={name.value}
              maxLength={64}
              placeholder="Name"
              onInput={(value) => (name.value = value)}
            />
          )}
        </Field>
        <Button submit disabled={name.value.trim() === ''}>
          Create
        </Button>
        <OtherFault of={wrong.value} />
      </form>
    </Dialog>
  )
}
