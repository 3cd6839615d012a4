/** A familiar kind of file, with its colour everywhere on the page. */
export interface Family {
  readonly id: string;
  readonly label: string;
  /** Name of a colour in the style sheet. */
  readonly tone: string;
  readonly extensions: readonly string[];
}

const words = (text: string) => text.split(' ');

export const FAMILIES: readonly Family[] = [
  {
    id: 'video',
    label: 'Video and audio',
    tone: 'b5',
    extensions: words(
      'mp4 mkv mov avi webm m4v mpg mpeg wmv flv mts m2ts vob mp3 flac wav aac ogg opus m4a aiff wma mid',
    ),
  },
  {
    id: 'image',
    label: 'Images',
    tone: 'b3',
    extensions: words(
      'jpg jpeg png gif webp heic heif tif tiff bmp svg ico avif raw cr2 cr3 nef arw dng psd xcf ai eps exr hdr',
    ),
  },
  {
    id: 'archive',
    label: 'Archives',
    tone: 'b2',
    extensions: words(
      'zip tar gz tgz bz2 xz zst 7z rar lz4 br iso dmg img qcow2 vmdk vdi deb rpm apk jar war whl crate pkg cab snap bak',
    ),
  },
  {
    id: 'code',
    label: 'Code',
    tone: 'b1',
    extensions: words(
      'ts tsx js jsx mjs cjs py rs go c h cc cpp cxx hpp java kt kts scala rb php cs swift m mm lua pl sh bash zsh fish ps1 sql html htm css scss less vue svelte json yaml yml toml xml ini cfg conf lock map d proto graphql cmake mk ipynb r jl hs ml ex exs erl clj zig nim dart pyc',
    ),
  },
  {
    id: 'document',
    label: 'Documents',
    tone: 'b6',
    extensions: words(
      'pdf doc docx xls xlsx ppt pptx odt ods odp rtf txt md rst tex epub mobi pages numbers key eml mbox ttf otf woff woff2',
    ),
  },
  {
    id: 'binary',
    label: 'Libraries and programs',
    tone: 'b4',
    extensions: words(
      'so a o dll dylib exe lib obj rlib rmeta bin node wasm class pdb ko elf appimage msi pack idx',
    ),
  },
  {
    id: 'data',
    label: 'Data, logs and models',
    tone: 'b7',
    extensions: words(
      'db sqlite sqlite3 wal csv tsv parquet arrow feather avro jsonl ndjson log npy npz h5 hdf5 pt pth ckpt safetensors gguf ggml onnx tflite pkl pickle joblib mat dat dump rdb tfrecord bag mdb',
    ),
  },
];

const BY_EXTENSION: ReadonlyMap<string, Family> = new Map(
  FAMILIES.flatMap((family) => family.extensions.map((extension) => [extension, family] as const)),
);

/** The colour of files that belong to no family. */
export const OTHER_TONE = 'b8';

export function familyOf(extension: string): Family | undefined {
  return BY_EXTENSION.get(extension.toLowerCase());
}
