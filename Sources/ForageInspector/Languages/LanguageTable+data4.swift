extension LanguageTable {
  /// Part 4 of the language facts, `Smalltalk` to `Zmodel`; see `facts`.
  static let facts4 = """
    Smalltalk	p			.st .cs
    Smarty	p			.tpl
    Smithy	p			.smithy
    SmPL	p			.cocci
    SMT	p			.smt2 .smt .z3		boolector cvc4 mathsat5 opensmt smtinterpol smt-rat stp verit yices2 z3
    Snakemake	p	Python		.smk .snakefile	Snakefile
    Solidity	p			.sol
    Soong	d				Android.bp
    SourcePawn	p			.sp .inc
    SPARQL	d			.sparql .rq
    SpiceDB Schema	d			.zed
    Spline Font Database	d			.sfd
    SQF	p			.sqf .hqf
    SQL	d			.sql .ddl .inc .mysql .prc .tab .udf .viw
    SQLPL	p			.sql .db2
    Squirrel	p			.nut
    SRecode Template	m			.srt
    SSH Config	d	INI			ssh-config|ssh_config|sshconfig|sshconfig.snip|sshd-config|sshd_config
    Stan	p			.stan
    Standard ML	p			.ml .fun .sig .sml
    STAR	d			.star
    Starlark	p			.bzl .star	BUCK|BUILD|BUILD.bazel|MODULE.bazel|Tiltfile|WORKSPACE|WORKSPACE.bazel|\
    WORKSPACE.bzlmod
    Stata	p			.do .ado .doh .ihlp .mata .matah .sthlp
    STL	d			.stl
    STON	d	Smalltalk		.ston
    StringTemplate	m			.st
    Stylus	m			.styl
    SubRip Text	d			.srt
    SugarSS	m			.sss
    SuperCollider	p			.sc .scd		sclang scsynth
    SurrealQL	p			.surql
    Survex data	d			.svx
    Svelte	m			.svelte
    SVG	d			.svg
    Sway	p			.sw
    Sweave	t			.rnw
    Swift	p		1	.swift
    SWIG	p			.i .swg .swig
    SystemVerilog	p			.sv .svh .vh
    Tact	p			.tact
    Talon	p			.talon
    Tape	p			.tape
    Tcl	p			.tcl .adp .sdc .tcl.in .tm .xdc	owh|starfield	tclsh wish
    Tcsh	p	Shell		.tcsh .csh		tcsh csh
    Tea	m			.tea
    Teal	p			.tl		tl
    templ	m			.templ
    Terra	p			.t		lua
    Terraform Template	m	HCL		.tftpl
    TeX	m			.tex .aux .bbx .cbx .cls .dtx .ins .lbx .ltx .mkii .mkiv .mkvi .sty .toc
    Texinfo	t			.texinfo .texi .txi		makeinfo
    Text	t			.txt .fr .nb .ncl .no	CITATION|CITATIONS|COPYING|COPYING.regex|COPYRIGHT.regex|FONTLOG|INSTALL|\
    INSTALL.mysql|LICENSE|LICENSE.mysql|NEWS|README.me|README.mysql|README.nss|README.pc|click.me|delete.me|\
    keep.me|package.mask|package.use.mask|package.use.stable.mask|read.me|readme.1st|test.me|use.mask|\
    use.stable.mask
    TextGrid	d			.TextGrid
    Textile	t			.textile
    TextMate Properties	d				.tm_properties
    Thrift	p			.thrift
    TI Program	p			.8xp .8xp.txt
    TL-Verilog	p			.tlv
    TLA	p			.tla
    TMDL	d			.tmdl
    Toit	p			.toit
    Tolk	p			.tolk
    TOML	d			.toml .toml.example	Cargo.lock|Cargo.toml.orig|Gopkg.lock|Pipfile|mise.local.lock|mise.lock|\
    pdm.lock|poetry.lock|uv.lock
    Tor Config	d				torrc
    Tree-sitter Query	p			.scm
    TSPLIB data	d			.tsp
    TSQL	p			.sql
    TSV	d			.tsv .vcf
    TSX	p	TypeScript		.tsx
    Turing	p			.t .tu
    Turtle	d			.ttl
    Twig	m			.twig
    TXL	p			.txl
    Type Language	d			.tl
    TypeScript	p		1	.ts .cts .mts		bun deno ts-node tsx node
    TypeSpec	p			.tsp
    Typst	p			.typ
    ucode	p			.uc		ucode
    Unified Parallel C	p	C		.upc
    Unity3D Asset	d			.anim .asset .mask .mat .meta .prefab .unity
    Unix Assembly	p	Assembly		.s .ms
    Uno	p			.uno
    UnrealScript	p			.uc
    Untyped Plutus Core	p			.uplc
    UrWeb	p			.ur .urs
    V	p			.v
    Vala	p			.vala .vapi
    Valve Data Format	d			.vdf .vmf
    VBA	p			.bas .cls .frm .vba
    VBScript	p			.vbs
    vCard	d			.vcf
    VCL	p			.vcl
    Velocity Template Language	m			.vtl
    Vento	m			.vto
    Verilog	p			.v .veo
    Verse	p			.verse
    VHDL	p			.vhdl .vhd .vhf .vhi .vho .vhs .vht .vhw
    Vim Help File	t			.txt
    Vim script	p			.vim .vba .vimrc .vmb	.exrc|.gvimrc|.nvimrc|.vimrc|_vimrc|gvimrc|nvimrc|vimrc
    Vim Snippet	m			.snip .snippet .snippets
    Visual Basic .NET	p			.vb .vbhtml
    Visual Basic 6.0	p			.bas .cls .ctl .Dsr .frm
    Volt	p			.volt
    Vue	m			.vue
    Vyper	p			.vy
    Wavefront Material	d			.mtl
    Wavefront Object	d			.obj
    WDL	p			.wdl
    Web Ontology Language	d			.owl
    WebAssembly	p			.wast .wat
    WebAssembly Interface Type	d			.wit
    WebIDL	p			.webidl
    WebVTT	d			.vtt
    Wget Config	d	INI			.wgetrc
    WGSL	p			.wgsl
    Whiley	p			.whiley
    Wikitext	t			.mediawiki .wiki .wikitext
    Win32 Message File	d			.mc
    Windows Registry Entries	d			.reg
    wisp	p			.wisp
    Witcher Script	p			.ws
    Wolfram Language	p			.mathematica .cdf .m .ma .mt .nb .nbp .wl .wls .wlt		wolfram WolframKernel \
    wolframscript math MathKernel MathematicaScript WolframNB Mathematica
    Wollok	p			.wlk
    World of Warcraft Addon Data	d			.toc
    Wren	p			.wren
    X BitMap	d	C		.xbm
    X Font Directory Index	d				encodings.dir|fonts.alias|fonts.dir|fonts.scale
    X PixMap	d	C		.xpm .pm
    X10	p			.x10
    xBase	p			.prg .ch .prw
    XC	p			.xc
    XCompose	d				.XCompose|XCompose|xcompose
    Xmake	p				xmake.lua
    XML	d			.xml .adml .admx .ant .axaml .axml .builds .ccproj .ccxml .clixml .cproject .cscfg .csdef .csl \
    .csproj .ct .depproj .dita .ditamap .ditaval .dll.config .dotsettings .filters .fsproj .fxml .glade \
    .gml .gmx .gpx .grxml .gst .hzp .icls .iml .ivy .jelly .jsproj .kml .launch .mdpolicy .meta4 .mjml .mm \
    .mod .mojo .mxml .natvis .ncl .ndproj .nproj .nuspec .odd .osm .pkgproj .pluginspec .proj .props \
    .ps1xml .psc1 .pt .pubxml .qhelp .rbxmx .rdf .res .resx .rs .rss .sch .scxml .sfproj .shproj .slnx \
    .srdf .storyboard .sublime-snippet .sw .targets .tml .ts .tsx .typ .ui .urdf .ux .vbproj .vcxproj \
    .vsixmanifest .vssettings .vstemplate .vxml .wixproj .workflow .wsdl .wsf .wxi .wxl .wxs .x3d .xacro \
    .xaml .xib .xlf .xliff .xmi .xml.dist .xmp .xproj .xsd .xspec .xul .zcml	.classpath|.cproject|.project|\
    App.config|NuGet.config|Settings.StyleCop|Web.Debug.config|Web.Release.config|Web.config|packages.config
    XML Property List	d	XML		.plist .stTheme .tmCommand .tmLanguage .tmPreferences .tmSnippet .tmTheme
    Xojo	p			.xojo_code .xojo_menu .xojo_report .xojo_script .xojo_toolbar .xojo_window
    Xonsh	p			.xsh
    XPages	d			.xsp-config .xsp.metadata
    XProc	p			.xpl .xproc
    XQuery	p			.xquery .xq .xql .xqm .xqy
    XS	p			.xs
    XSLT	p			.xslt .xsl
    Xtend	p			.xtend
    Yacc	p			.y .yacc .yy
    YAML	d			.yml .mir .reek .rviz .sublime-syntax .syntax .yaml .yaml-tmlanguage .yaml.sed .yml.mysql	\
    .clang-format|.clang-tidy|.clangd|.eslintrc|.gemrc|.releaserc|CITATION.cff|glide.lock|pixi.lock|\
    yarn.lock
    YANG	d			.yang
    YARA	p			.yar .yara
    YASnippet	m			.yasnippet
    Yul	p			.yul
    ZAP	p			.zap .xzap
    Zeek	p			.zeek .bro
    ZenScript	p			.zs
    Zephir	p			.zep
    Zig	p			.zig .zig.zon
    ZIL	p			.zil .mud
    Zimpl	p			.zimpl .zmpl .zpl
    Zmodel	d			.zmodel
    """
}
