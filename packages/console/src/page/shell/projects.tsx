import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../data/hooks'
import { createProject, listProjects } from '../data/project'
import { Button, Field, Icon, Input, Text, View } from '../ui'
import { Dialog } from '../ui/dialog'
import { switchTo } from './switch-project'

/** The account's projects: which one is looked at, and another one. */
export function Projects({ onClose }: { readonly onClose: () => void }) {
  const { session, project: here } = useProject()
  const all = useRead(() => listProjects(session), [session])
  const name = useSignal('')
  const make = async () => {
    await switchTo(session, await createProject(session, name.value))
    onClose()
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
      <div class="line nowrap">
        <Field label="New project">
          {(named) => (
            <Input
              {...named}
              value={name.value}
              maxLength={64}
              placeholder="Its name"
              onInput={(value) => (name.value = value)}
            />
          )}
        </Field>
        <Button onClick={make} disabled={name.value.trim() === ''}>
          Create
        </Button>
      </div>
    </Dialog>
  )
}
