/** A small viewer of GLB files of our own making: reads the file and draws it with WebGL, no library. */

interface Piece {
  points: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
  base: [number, number, number];
  metal: number;
  rough: number;
  glow: [number, number, number];
}

export interface Viewer {
  /** Turn by these angles, in radians. */
  turn(across: number, up: number): void;
  close(): void;
}

interface Accessor {
  bufferView: number;
  byteOffset?: number;
  componentType: number;
  count: number;
  type: string;
}

interface Document {
  accessors: Accessor[];
  bufferViews: { byteOffset?: number; byteLength: number; byteStride?: number }[];
  meshes: { primitives: Primitive[] }[];
  materials?: Material[];
}

interface Primitive {
  attributes: { POSITION: number; NORMAL?: number };
  indices?: number;
  material?: number;
  mode?: number;
}

interface Material {
  pbrMetallicRoughness?: {
    baseColorFactor?: number[];
    metallicFactor?: number;
    roughnessFactor?: number;
  };
  emissiveFactor?: number[];
}

const HEADER = 12;
const CHUNK_HEAD = 8;

/** The triangles of a file as our generator writes them: nothing moved, interleaved or compressed. */
export function readGlb(buffer: ArrayBuffer): Piece[] {
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== 0x46546c67) throw new Error("not a GLB");
  const length = view.getUint32(HEADER, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, HEADER + CHUNK_HEAD, length));
  const file = JSON.parse(text) as Document;
  const start = HEADER + CHUNK_HEAD + length + CHUNK_HEAD;
  const values = (number: number, width: number): Float32Array | Uint32Array => {
    const accessor = file.accessors[number];
    const part = accessor && file.bufferViews[accessor.bufferView];
    if (!accessor || !part || part.byteStride) throw new Error("not laid out as expected");
    const at = start + (part.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const count = accessor.count * width;
    if (accessor.componentType === 5126) return new Float32Array(buffer, at, count);
    if (accessor.componentType === 5125) return new Uint32Array(buffer, at, count);
    if (accessor.componentType === 5123) return Uint32Array.from(new Uint16Array(buffer, at, count));
    throw new Error("values of a kind that is not drawn");
  };
  return file.meshes
    .flatMap((mesh) => mesh.primitives)
    .map((primitive) => {
      const { NORMAL: normal, POSITION: position } = primitive.attributes;
      if (normal === undefined || primitive.indices === undefined || (primitive.mode ?? 4) !== 4) {
        throw new Error("not laid out as expected");
      }
      const material = file.materials?.[primitive.material ?? -1] ?? {};
      const surface = material.pbrMetallicRoughness ?? {};
      const [red = 1, green = 1, blue = 1] = surface.baseColorFactor ?? [];
      const [r = 0, g = 0, b = 0] = material.emissiveFactor ?? [];
      return {
        points: values(position, 3) as Float32Array,
        normals: values(normal, 3) as Float32Array,
        indices: values(primitive.indices, 1) as Uint32Array,
        base: [red, green, blue],
        metal: surface.metallicFactor ?? 1,
        rough: surface.roughnessFactor ?? 1,
        glow: [r, g, b],
      };
    });
}

const VERTEX = `
attribute vec3 point; attribute vec3 normal;
uniform mat3 turned; uniform vec3 middle; uniform float near, aspect;
varying vec3 facing; varying vec3 place;
void main() {
  place = turned * (point - middle);
  facing = turned * normal;
  float away = 4.2 - place.z * near;
  vec2 flat_ = place.xy * near * 4.1;
  gl_Position = vec4(flat_.x / max(aspect, 1.0), flat_.y * min(aspect, 1.0), (away - 4.2) * 0.3 * away, away);
}`;

const FRAGMENT = `
precision highp float;
varying vec3 facing; varying vec3 place;
uniform mat3 turned; uniform vec3 base, glow; uniform float metal, rough;
void main() {
  vec3 n = normalize(facing);
  vec3 sun = normalize(vec3(-0.45, 0.75, 0.55));
  vec3 back = reflect(vec3(0.0, 0.0, -1.0), n);
  float up = (turned * vec3(0.0, 1.0, 0.0)).y;
  vec3 around = mix(vec3(0.38, 0.36, 0.34), vec3(0.68, 0.70, 0.72), n.y * 0.5 * up + 0.5);
  vec3 plain = base * (1.0 - metal) * (around + 0.8 * max(dot(n, sun), 0.0));
  vec3 shine = mix(vec3(0.04), base, metal);
  float tight = mix(60.0, 4.0, rough);
  float window = pow(max(dot(back, normalize(vec3(-0.5, 0.6, 0.6))), 0.0), tight);
  float edge = pow(1.0 - max(n.z, 0.0), 5.0) * (1.0 - rough);
  vec3 mirror = vec3(0.35 + 0.55 * smoothstep(-0.4, 0.7, back.y) + 1.4 * window * (1.0 - 0.7 * rough));
  vec3 light = plain + (shine + (1.0 - shine) * edge) * mirror + glow;
  gl_FragColor = vec4(pow(min(light, vec3(1.0)), vec3(0.4545)), 1.0);
}`;

/** Draw a file into a canvas, slowly turning if `isTurning`; null where there is no WebGL. */
export function openViewer(
  canvas: HTMLCanvasElement,
  pieces: Piece[],
  isTurning: boolean,
): Viewer | null {
  const gl = canvas.getContext("webgl", { antialias: true, alpha: true });
  if (!gl?.getExtension("OES_element_index_uint")) return null;
  const program = programOf(gl);
  if (!program) return null;
  const drawn = pieces.map((piece) => ({ piece, ...buffersOf(gl, piece) }));
  const { middle, size } = boundsOf(pieces);
  const state = { across: -0.55, up: 0.28, turning: isTurning, frame: 0, isClosed: false };
  const place = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);

  const draw = (): void => {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio].map(Math.round);
    if (width !== canvas.width || height !== canvas.height) {
      canvas.width = width ?? 1;
      canvas.height = height ?? 1;
    }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix3fv(place("turned"), false, turnOf(state.across, state.up));
    gl.uniform3fv(place("middle"), middle);
    gl.uniform1f(place("near"), 2 / size);
    gl.uniform1f(place("aspect"), canvas.width / Math.max(canvas.height, 1));
    for (const { piece, points, normals, indices } of drawn) {
      gl.uniform3fv(place("base"), piece.base);
      gl.uniform3fv(place("glow"), piece.glow);
      gl.uniform1f(place("metal"), piece.metal);
      gl.uniform1f(place("rough"), piece.rough);
      for (const [name, buffer] of [
        ["point", points],
        ["normal", normals],
      ] as const) {
        const at = gl.getAttribLocation(program, name);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 0, 0);
      }
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
      gl.drawElements(gl.TRIANGLES, piece.indices.length, gl.UNSIGNED_INT, 0);
    }
  };
  const step = (): void => {
    state.frame = 0;
    if (state.isClosed) return;
    if (state.turning) state.across += 0.006;
    draw();
    if (state.turning) ask();
  };
  const ask = (): void => {
    if (state.frame === 0) state.frame = requestAnimationFrame(step);
  };
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.CULL_FACE);
  gl.useProgram(program);
  const watcher = new ResizeObserver(ask);
  watcher.observe(canvas);
  ask();
  return {
    turn(across, up) {
      state.turning = false;
      state.across += across;
      state.up = Math.max(-1.4, Math.min(1.4, state.up + up));
      ask();
    },
    close() {
      state.isClosed = true;
      cancelAnimationFrame(state.frame);
      watcher.disconnect();
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}

function programOf(gl: WebGLRenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) === true ? program : null;
}

function buffersOf(gl: WebGLRenderingContext, piece: Piece): Record<"points" | "normals" | "indices", WebGLBuffer | null> {
  const filled = (target: number, data: Float32Array | Uint32Array): WebGLBuffer | null => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(target, buffer);
    gl.bufferData(target, data as BufferSource, gl.STATIC_DRAW);
    return buffer;
  };
  return {
    points: filled(gl.ARRAY_BUFFER, piece.points),
    normals: filled(gl.ARRAY_BUFFER, piece.normals),
    indices: filled(gl.ELEMENT_ARRAY_BUFFER, piece.indices),
  };
}

/** The middle of everything, and the diameter of a ball around it. */
function boundsOf(pieces: Piece[]): { middle: Float32Array; size: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { points } of pieces) {
    for (let at = 0; at < points.length; at += 1) {
      const value = points[at] ?? 0;
      const axis = at % 3;
      if (value < (low[axis] ?? 0)) low[axis] = value;
      if (value > (high[axis] ?? 0)) high[axis] = value;
    }
  }
  const sides = high.map((value, axis) => value - (low[axis] ?? 0));
  return {
    middle: Float32Array.from(high.map((value, axis) => (value + (low[axis] ?? 0)) / 2)),
    size: Math.hypot(...sides) || 1,
  };
}

/** A turn about the upright axis, then a nod; column by column. */
function turnOf(across: number, up: number): Float32Array {
  const [c, s, d, t] = [Math.cos(across), Math.sin(across), Math.cos(up), Math.sin(up)];
  return Float32Array.from([c, s * t, -s * d, 0, d, t, s, -c * t, c * d]);
}
