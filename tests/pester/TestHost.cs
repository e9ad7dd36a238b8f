// A PowerShell host that answers confirmations with what the test says and remembers what was shown: "What if" text and
// prompts reach no stream, only the host.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Globalization;
using System.Management.Automation;
using System.Management.Automation.Host;
using System.Security;

namespace SvcDeployTests
{
    public sealed class TestHost : PSHost
    {
        private readonly Guid id = Guid.NewGuid();
        private readonly TestHostUserInterface screen;

        /// <summary>The answers are labels of choices, as in "Yes to All", in the order of the prompts.</summary>
        public TestHost(string[] answers) { screen = new TestHostUserInterface(answers); }

        public string[] Lines { get { return screen.Lines.ToArray(); } }
        public string[] Prompts { get { return screen.Prompts.ToArray(); } }
        /// <summary>The label of the answer that each prompt offers.</summary>
        public string[] Offers { get { return screen.Offers.ToArray(); } }
        public string[] Warnings { get { return screen.Warnings.ToArray(); } }

        public override CultureInfo CurrentCulture { get { return CultureInfo.InvariantCulture; } }
        public override CultureInfo CurrentUICulture { get { return CultureInfo.InvariantCulture; } }
        public override Guid InstanceId { get { return id; } }
        public override string Name { get { return "SvcDeployTests"; } }
        public override PSHostUserInterface UI { get { return screen; } }
        public override Version Version { get { return new Version(1, 0); } }

        public override void EnterNestedPrompt() { throw new NotSupportedException(); }
        public override void ExitNestedPrompt() { throw new NotSupportedException(); }
        public override void NotifyBeginApplication() { }
        public override void NotifyEndApplication() { }
        public override void SetShouldExit(int exitCode) { }
    }

    public sealed class TestHostUserInterface : PSHostUserInterface
    {
        private readonly Queue<string> answers;

        public TestHostUserInterface(string[] answers) { this.answers = new Queue<string>(answers); }

        public readonly ConcurrentQueue<string> Lines = new ConcurrentQueue<string>();
        public readonly ConcurrentQueue<string> Prompts = new ConcurrentQueue<string>();
        public readonly ConcurrentQueue<string> Offers = new ConcurrentQueue<string>();
        public readonly ConcurrentQueue<string> Warnings = new ConcurrentQueue<string>();

        public override PSHostRawUserInterface RawUI { get { return null; } }

        public override void Write(string value) { Lines.Enqueue(value); }
        public override void Write(ConsoleColor foregroundColor, ConsoleColor backgroundColor, string value) { Lines.Enqueue(value); }
        public override void WriteLine(string value) { Lines.Enqueue(value); }
        public override void WriteErrorLine(string value) { Lines.Enqueue(value); }
        public override void WriteDebugLine(string message) { Lines.Enqueue(message); }
        public override void WriteVerboseLine(string message) { Lines.Enqueue(message); }
        public override void WriteWarningLine(string message) { Warnings.Enqueue(message); }
        public override void WriteProgress(long sourceId, ProgressRecord record) { }

        public override int PromptForChoice(string caption, string message, Collection<ChoiceDescription> choices, int defaultChoice)
        {
            Prompts.Enqueue(message);
            Offers.Enqueue(defaultChoice < 0 ? "" : choices[defaultChoice].Label.Replace("&", ""));
            if (answers.Count == 0) throw new InvalidOperationException("The test has no answer to: " + message);
            string answer = answers.Dequeue();
            for (int index = 0; index < choices.Count; index++)
            {
                if (choices[index].Label.Replace("&", "") == answer) return index;
            }
            throw new InvalidOperationException("There is no choice '" + answer + "'.");
        }

        public override string ReadLine() { throw new NotSupportedException(); }
        public override SecureString ReadLineAsSecureString() { throw new NotSupportedException(); }

        public override Dictionary<string, PSObject> Prompt(string caption, string message, Collection<FieldDescription> descriptions)
        {
            throw new NotSupportedException();
        }

        public override PSCredential PromptForCredential(string caption, string message, string userName, string targetName)
        {
            throw new NotSupportedException();
        }

        public override PSCredential PromptForCredential(string caption, string message, string userName, string targetName, PSCredentialTypes allowedCredentialTypes, PSCredentialUIOptions options)
        {
            throw new NotSupportedException();
        }
    }
}
