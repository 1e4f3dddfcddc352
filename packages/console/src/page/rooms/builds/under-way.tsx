import { useProject } from '../../data/hooks'
import { Button, Meter, sentenceOf, Text } from '../../ui'
import { bytes } from './bytes'
import { forget, type Upload, uploads } from './uploads'

/** Lists the project's uploads that are in progress, and those that failed. */
export function UnderWay() {
  const { project } = useProject()
  const mine = uploads.value.filter((one) => one.projectId === project.project_id && one.is !== 'sent')
  if (mine.length === 0) return null
  return (
    <ul class="under-way" aria-label="Uploads">
      {mine.map((one) => (
        <li key={one.id}>{one.is === 'failed' ? <Lost of={one} /> : <Sending of={one} />}</li>
      ))}
    </ul>
  )
}

function Sending({ of }: { readonly of: Upload }) {
  const share = of.size === 0 ? 0 : Math.floor((of.sent / of.size) * 100)
  return (
    <>
      <div class="line apart">
        <strong>
          <Text>{of.name}</Text>
        </strong>
        <span class="line">
          <span class="quiet small figures">
            {bytes(of.sent)} of {bytes(of.size)}
          </span>
          <Button small onClick={of.cancel}>
            Cancel
          </Button>
        </span>
      </div>
      <Meter value={of.sent} most={Math.max(1, of.size)} label={`${of.name}: ${share} % sent`} />
    </>
  )
}

function Lost({ of }: { readonly of: Upload }) {
  return (
    <div class="line apart">
      <span class="lost">
        <strong>
          <Text>{of.name}</Text>
        </strong>{' '}
        was not uploaded: {sentenceOf(of.error).slice(0, 300)}
      </span>
      <Button small onClick={() => forget(of.id)}>
        Dismiss
      </Button>
    </div>
  )
}
