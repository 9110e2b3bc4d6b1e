import ImageViewer from 'antd-mobile/es/components/image-viewer'

interface Props {
  readonly images: readonly string[]
  readonly at: number
  readonly onClose: () => void
}

/** All pictures, full screen, from the tapped one; zoom 1 to 4 (spec §9). */
export default function Preview({ images, at, onClose }: Props) {
  return <ImageViewer.Multi visible images={[...images]} defaultIndex={at} maxZoom={4} onClose={onClose} />
}
