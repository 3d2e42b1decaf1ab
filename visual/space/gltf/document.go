package gltf

// The types of the JSON part of a file, named as in the specification. Fields that Write does not use are left out.

type (
	vec3 [3]float32
	vec4 [4]float32
)

type document struct {
	Asset          asset        `json:"asset"`
	ExtensionsUsed []string     `json:"extensionsUsed"`
	Extensions     *lights      `json:"extensions"`
	Scene          int          `json:"scene"`
	Scenes         []sceneNodes `json:"scenes"`
	Nodes          []node       `json:"nodes"`
	Cameras        []camera     `json:"cameras"`
	Meshes         []mesh       `json:"meshes"`
	Materials      []material   `json:"materials"`
	Animations     []animation  `json:"animations"`
	Accessors      []accessor   `json:"accessors"`
	BufferViews    []bufferView `json:"bufferViews"`
	Buffers        []buffer     `json:"buffers"`
}

type asset struct {
	Version   string         `json:"version"`
	Generator string         `json:"generator"`
	Extras    map[string]any `json:"extras,omitempty"`
}

type sceneNodes struct {
	Name  string `json:"name,omitempty"`
	Nodes []int  `json:"nodes"`
}

type node struct {
	Name        string `json:"name,omitempty"`
	Children    []int  `json:"children,omitempty"`
	Camera      *int   `json:"camera,omitempty"`
	Mesh        *int   `json:"mesh,omitempty"`
	Translation *vec3  `json:"translation,omitempty"`
	Rotation    *vec4  `json:"rotation,omitempty"`
	Scale       *vec3  `json:"scale,omitempty"`
	Extensions  *lit   `json:"extensions,omitempty"`
}

type camera struct {
	Type        string      `json:"type"`
	Perspective perspective `json:"perspective"`
}

type perspective struct {
	YFov  float64 `json:"yfov"`
	ZNear float64 `json:"znear"`
	ZFar  float64 `json:"zfar"`
}

type mesh struct {
	Name       string      `json:"name,omitempty"`
	Primitives []primitive `json:"primitives"`
}

type primitive struct {
	Attributes attributes `json:"attributes"`
	Indices    int        `json:"indices"`
	Material   int        `json:"material"`
}

type attributes struct {
	Position int `json:"POSITION"`
	Normal   int `json:"NORMAL"`
}

type material struct {
	Name string `json:"name,omitempty"`
	PBR  pbr    `json:"pbrMetallicRoughness"`
}

type pbr struct {
	BaseColor [4]float32 `json:"baseColorFactor"`
	Metallic  float64    `json:"metallicFactor"`
	Roughness float64    `json:"roughnessFactor"`
}

type animation struct {
	Name     string    `json:"name,omitempty"`
	Channels []channel `json:"channels"`
	Samplers []sampler `json:"samplers"`
}

type channel struct {
	Sampler int    `json:"sampler"`
	Target  target `json:"target"`
}

type target struct {
	Node int    `json:"node"`
	Path string `json:"path"`
}

type sampler struct {
	Input         int    `json:"input"`
	Output        int    `json:"output"`
	Interpolation string `json:"interpolation"`
}

type accessor struct {
	BufferView    int       `json:"bufferView"`
	ComponentType int       `json:"componentType"`
	Count         int       `json:"count"`
	Type          string    `json:"type"`
	Min           []float32 `json:"min,omitempty"`
	Max           []float32 `json:"max,omitempty"`
}

type bufferView struct {
	Buffer     int `json:"buffer"`
	ByteOffset int `json:"byteOffset"`
	ByteLength int `json:"byteLength"`
	Target     int `json:"target,omitempty"`
}

type buffer struct {
	ByteLength int `json:"byteLength"`
}

// Types of the extension KHR_lights_punctual: the lights of the file, and the light of a node.
type (
	lights struct {
		Punctual punctual `json:"KHR_lights_punctual"`
	}
	punctual struct {
		Lights []light `json:"lights"`
	}
	light struct {
		Type      string  `json:"type"`
		Intensity float64 `json:"intensity"`
	}
	lit struct {
		Punctual lightIndex `json:"KHR_lights_punctual"`
	}
	lightIndex struct {
		Light *int `json:"light"`
	}
)
