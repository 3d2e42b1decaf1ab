package screen

import (
	"whorl/experiment"
	"whorl/visual/app"
)

// session is a session of the experiment as the viewer knows it.
type session struct{ *experiment.Session }

func (s session) Status() app.Status { return status(s.Session.Status()) }

func (s session) Do(c app.Command) { s.Session.Do(command(c)) }

// states and commands are the viewer's, by those of the experiment and the other way round.
var (
	states = map[experiment.SessionState]app.SessionState{
		experiment.Running: app.Running, experiment.Paused: app.Paused, experiment.Finished: app.Finished,
	}
	commands = map[app.CommandKind]experiment.CommandKind{
		app.Pause: experiment.Pause, app.Resume: experiment.Resume, app.Stop: experiment.Stop,
		app.Step: experiment.Step, app.StepTo: experiment.StepTo,
	}
)

func status(s experiment.Status) app.Status {
	return app.Status{State: states[s.State], Reductions: s.Reductions, Virtual: s.Virtual, Answer: s.Answer, Err: s.Err}
}

func command(c app.Command) experiment.Command { return experiment.Command{Do: commands[c.Do], N: c.N} }
