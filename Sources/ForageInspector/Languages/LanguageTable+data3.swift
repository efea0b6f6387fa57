extension LanguageTable {
  /// Part 3 of the language facts, `Mojo` to `Smali`; see `facts`.
  static let facts3 = """
    Mojo	p			.mojo
    Monkey	p			.monkey .monkey2
    Monkey C	p			.mc
    Moocode	p			.moo
    MoonBit	p			.mbt
    MoonScript	p			.moon		moon
    Motoko	p			.mo
    Motorola 68K Assembly	p	Assembly		.asm .i .inc .s .x68
    Move	p			.move
    MQL4	p			.mq4 .mqh
    MQL5	p			.mq5 .mqh
    MTML	m			.mtml
    MUF	p	Forth		.muf .m
    mupad	p			.mu
    Muse	t			.muse
    Mustache	m			.mustache
    Myghty	p			.myt
    nanorc	d	INI		.nanorc	.nanorc|nanorc
    Nasal	p			.nas
    NASL	p			.nasl .inc
    NCL	p			.ncl
    Nearley	p			.ne .nearley
    Nemerle	p			.n
    NEON	d			.neon
    nesC	p			.nc
    NetLinx	p			.axs .axi
    NetLinx+ERB	p			.axs.erb .axi.erb
    NetLogo	p			.nlogo
    NewLisp	p			.nl .lisp .lsp		newlisp
    Nextflow	p			.nf	nextflow.config	nextflow
    Nginx	d			.nginx .nginxconf .vhost	nginx.conf
    Nickel	p			.ncl
    Nim	p			.nim .nim.cfg .nimble .nimrod .nims	nim.cfg
    Ninja	d			.ninja
    Nit	p			.nit
    Nix	p			.nix
    NL	d			.nl
    NMODL	p			.mod
    Noir	p			.nr
    NPM Config	d	INI			.npmrc
    NSIS	p			.nsi .nsh
    Nu	p			.nu	Nukefile	nush
    NumPy	p	Python		.numpy .numpyw .numsc
    Nunjucks	m			.njk
    Nushell	p			.nu		nu
    NWScript	p			.nss
    OASv2-json	d	OpenAPI Specification v2		.json
    OASv2-yaml	d	OpenAPI Specification v2		.yaml .yml
    OASv3-json	d	OpenAPI Specification v3		.json
    OASv3-yaml	d	OpenAPI Specification v3		.yaml .yml
    Oberon	p			.ob2
    ObjDump	d			.objdump
    Object Data Instance Notation	d			.odin
    Objective-C	p		1	.m .h
    Objective-C++	p			.mm
    Objective-J	p			.j .sj
    ObjectScript	p			.cls
    OCaml	p			.ml .eliom .eliomi .ml4 .mli .mll .mly		ocaml ocamlrun ocamlscript
    Odin	p			.odin
    Omgrofl	p			.omgrofl
    OMNeT++ MSG	p			.msg
    OMNeT++ NED	p			.ned
    ooc	p			.ooc
    Opa	p			.opa
    Opal	p			.opal
    Open Policy Agent	p			.rego
    OpenAPI Specification v2	d
    OpenAPI Specification v3	d
    OpenCL	p	C		.cl .opencl
    OpenEdge ABL	p			.p .cls .w
    OpenQASM	p			.qasm
    OpenRC runscript	p	Shell				openrc-run
    OpenSCAD	p			.scad
    OpenStep Property List	d			.plist .glyphs
    OpenType Feature File	d			.fea
    Option List	d				.ackrc|.rspec|.yardopts|ackrc|mocha.opts
    Org	t			.org
    OverpassQL	p			.overpassql
    OverPy	p			.opy
    Ox	p			.ox .oxh .oxo
    Oxygene	p			.oxygene
    Oz	p			.oz
    P4	p			.p4
    Pact	p			.pact
    Pan	p			.pan
    Papyrus	p			.psc
    Parrot	p			.parrot
    Parrot Assembly	p	Parrot		.pasm		parrot
    Parrot Internal Representation	p	Parrot		.pir		parrot
    Pascal	p			.pas .dfm .dpr .inc .lpr .pascal .pp		instantfpc
    Pawn	p			.pwn .inc .sma
    PDDL	p			.pddl
    PEG.js	p			.pegjs .peggy
    Pep8	p			.pep
    Perl	p		1	.pl .al .cgi .fcgi .perl .ph .plx .pm .psgi .t	.latexmkrc|Makefile.PL|Rexfile|ack|cpanfile|\
    latexmkrc	cperl perl
    PHP	p		1	.php .aw .ctp .fcgi .inc .php3 .php4 .php5 .phps .phpt	.php|.php_cs|.php_cs.dist|Phakefile	php
    Pic	m	Roff		.pic .chem
    Pickle	d			.pkl
    PicoLisp	p			.l		picolisp pil
    PigLatin	p			.pig
    Pike	p			.pike .pmod		pike
    Pip Requirements	d				dev-requirements.txt|requirements-dev.txt|requirements.lock.txt|requirements.txt
    pkg-config	d			.pc .pc.in
    Pkl	p			.pkl		pkl
    PlantUML	d			.puml .iuml .plantuml
    PLpgSQL	p			.pgsql .sql
    PLSQL	p			.pls .bdy .ddl .fnc .pck .pkb .pks .plb .plsql .prc .spc .sql .tpb .tps .trg .vw
    Pod	t			.pod		perl
    Pod 6	t			.pod .pod6		perl6
    PogoScript	p			.pogo
    Polar	p			.polar
    Pony	p			.pony
    Portugol	p			.por
    PostCSS	m	CSS		.pcss .postcss
    PostScript	m			.ps .eps .epsi .pfa
    POV-Ray SDL	p			.pov .inc
    Power Query	p			.pq
    PowerBuilder	p			.pbt .sra .sru .srw
    PowerShell	p		1	.ps1 .psd1 .psm1		pwsh
    Praat	p			.praat
    Prisma	d			.prisma
    Pro*C	p			.pc
    Processing	p			.pde
    Procfile	p				Procfile
    Proguard	d			.pro
    Prolog	p			.pl .plt .pro .prolog .yap		swipl yap
    Promela	p			.pml
    Propeller Spin	p			.spin
    Protocol Buffer	d			.proto
    Protocol Buffer Text Format	d			.textproto .pbt .pbtxt .txtpb
    Public Key	d			.asc .pub
    Pug	m			.jade .pug
    Puppet	p			.pp	Modulefile
    Pure Data	d			.pd
    PureBasic	p			.pb .pbi
    PureScript	p			.purs
    Pyret	p			.arr
    Python	p		1	.py .cgi .fcgi .gyp .gypi .lmi .py3 .pyde .pyi .pyp .pyt .pyw .rpy .spec .tac .wsgi .xpy	\
    .gclient|DEPS|SConscript|SConstruct|wscript	python python2 python3 py pypy pypy3 uv
    Python console	p	Python
    Python traceback	d	Python		.pytb
    q	p			.q
    Q#	p			.qs
    QMake	p			.pro .pri		qmake
    QML	p			.qml .qbs
    Qt Script	p			.qs	installscript.qs|toolchain_installscript.qs
    Quake	p				m3makefile|m3overrides
    QuakeC	p			.qc
    QuickBASIC	p			.bas .bi
    Quint	p			.qnt
    R	p			.r .rd .rhistory .rsx	.Rapp.history|.Rhistory|.Rprofile|expr-dist	Rscript
    Racket	p			.rkt .rktd .rktl .scrbl		racket
    Ragel	p			.rl
    Raku	p			.6pl .6pm .nqp .p6 .p6l .p6m .pl .pl6 .pm .pm6 .raku .rakumod .t		perl6 raku rakudo
    RAML	m			.raml
    Rascal	p			.rsc
    RAScript	p			.rascript
    Raw token data	d			.raw
    RBS	d	Ruby		.rbs
    RDoc	t			.rdoc
    Readline Config	d	INI			.inputrc|inputrc
    REALbasic	p			.rbbas .rbfrm .rbmnu .rbres .rbtbar .rbuistate
    Reason	p			.re .rei
    ReasonLIGO	p	LigoLANG		.religo
    Rebol	p			.reb .r .r2 .r3 .rebol
    Record Jar	d				language-subtag-registry.txt
    Red	p			.red .reds
    Redcode	p			.cw
    Redirect Rules	d				_redirects
    Redscript	p			.reds
    Regular Expression	d			.regexp .regex
    Ren'Py	p			.rpy
    RenderScript	p			.rs .rsh
    ReScript	p			.res .resi		ocaml
    reStructuredText	t			.rst .rest .rest.txt .rst.txt
    REXX	p			.rexx .pprx .rex		regina rexx
    Rez	p			.r
    Rich Text Format	m			.rtf
    Ring	p			.ring
    Riot	m			.riot
    RMarkdown	t			.qmd .rmd
    RobotFramework	p			.robot .resource
    Robots Exclusion Rules	d				robots.txt
    Roc	p			.roc
    Rocq Prover	p			.v .coq
    Roff	m			.roff .1 .1in .1m .1x .2 .3 .3in .3m .3p .3pm .3qt .3x .4 .5 .6 .7 .8 .9 .l .man .mdoc .me .ms \
    .n .nr .rno .tmac	eqnrc|mmn|mmt|troffrc|troffrc-end
    Roff Manpage	m	Roff		.1 .1in .1m .1x .2 .3 .3in .3m .3p .3pm .3qt .3x .4 .5 .6 .7 .8 .9 .man .mdoc
    RON	d			.ron
    ROS Interface	d			.msg .action .srv
    Rouge	p			.rg
    RouterOS Script	p			.rsc		RouterOS
    RPC	p			.x
    RPGLE	p			.rpgle .sqlrpgle
    RPM Spec	d			.spec
    Ruby	p		1	.rb .builder .eye .fcgi .gemspec .god .jbuilder .mspec .pluginspec .podspec .prawn .rabl \
    .rake .rbi .rbuild .rbw .rbx .ru .ruby .spec .thor .watchr	.irbrc|.pryrc|.simplecov|Appraisals|\
    Berksfile|Brewfile|Buildfile|Capfile|Dangerfile|Deliverfile|Fastfile|Gemfile|Guardfile|Jarfile|\
    Mavenfile|Podfile|Puppetfile|Rakefile|Snapfile|Steepfile|Thorfile|Vagrantfile|buildfile	ruby macruby \
    rake jruby rbx
    RUNOFF	m			.rnh .rno
    Rust	p		1	.rs .rs.in		rust-script
    Sage	p			.sage .sagews
    Sail	p			.sail
    Salt	p			.sls
    SAS	p			.sas
    Sass	m			.sass
    Scala	p		1	.scala .kojo .sbt .sc		scala
    Scaml	m			.scaml
    Scenic	p			.scenic		scenic
    Scheme	p			.scm .sch .sld .sls .sps .ss		scheme guile bigloo chicken csi gosh r6rs
    Scilab	p			.sci .sce .tst
    SCSS	m			.scss
    sed	p			.sed		gsed minised sed ssed
    Self	p			.self
    SELinux Policy	d			.te	file_contexts|genfs_contexts|initial_sids|port_contexts|security_classes
    ShaderLab	p			.shader
    Shell	p		1	.sh .bash .bats .cgi .command .fcgi .ksh .pacscript .sbatch .sh.in .slurm .tmux .tool \
    .trigger .zsh .zsh-theme	.bash_aliases|.bash_functions|.bash_history|.bash_logout|.bash_profile|.bashrc|\
    .cshrc|.envrc|.flaskenv|.kshrc|.login|.profile|.tmux.conf|.xinitrc|.xsession|.zlogin|.zlogout|.zprofile|\
    .zshenv|.zshrc|9fs|PKGBUILD|bash_aliases|bash_logout|bash_profile|bashrc|cshrc|gradlew|kshrc|login|man|\
    mvnw|profile|tmux.conf|xinitrc|xsession|zlogin|zlogout|zprofile|zshenv|zshrc	ash bash dash ksh mksh \
    pdksh rc sh zsh
    ShellCheck Config	d				.shellcheckrc
    ShellSession	p			.sh-session
    Shen	p			.shen
    Sieve	p			.sieve
    Simple File Verification	d	Checksums		.sfv
    Singularity	p				Singularity
    Slang	p			.slang
    Slash	p			.sl
    Slice	p			.ice
    Slim	m			.slim
    Slint	m			.slint
    Smali	p			.smali
    """
}
