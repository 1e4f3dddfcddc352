import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Light modules around the code. The standard requires four. */
const QUIET_ZONE = 4

/** QR code of a text. The library that computes it is loaded when the first code is shown. */
export function QrCode({ text }: { readonly text: string }) {
  const modules = useSignal<readonly (readonly boolean[])[]>([])
  useEffect(() => {
    let isShown = true
    void import('uqr').then(({ encode }) => {
      if (isShown) modules.value = encode(text, { border: QUIET_ZONE }).data
    })
    return () => {
      isShown = false
    }
  }, [text, modules])
  const size = modules.value.length
  const path = modules.value.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg class="qr-code" viewBox={`0 0 ${Math.max(1, size)} ${Math.max(1, size)}`} role="img">
      <title>QR code for the authenticator</title>
      <path class="light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="dark" d={path} />
    </svg>
  )
}
